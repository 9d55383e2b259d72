declare const redacted: unique symbol;

/**
 * Text that has passed the redaction chokepoint (P6). Ledger notes, journal lines and everything else that
 * derives from transcripts take only this type, so that forgetting is a compile error. The one function that
 * makes such text will live in `lib/redact`; until then nothing here can make one, and nothing writes notes.
 */
export type Redacted = string & { readonly [redacted]: true };
