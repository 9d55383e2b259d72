/** SQLite's variable-length integers, read one after another from bytes. */
export class VarintReader {
  at: number;
  readonly bytes: Uint8Array;

  constructor(bytes: Uint8Array, at = 0) {
    this.bytes = bytes;
    this.at = at;
  }

  /** Exact up to 2^53; 0 for each byte beyond the end. */
  next(): number {
    const { bytes } = this;
    let byte = bytes[this.at++] as number;
    if (byte < 128) return byte;
    let value = byte & 0x7f;
    for (let n = 1; n < 9; n++) {
      byte = bytes[this.at++] ?? 0;
      value = n === 8 ? value * 256 + byte : value * 128 + (byte & 0x7f);
      if (byte < 128) break;
    }
    return value;
  }

  skip(count: number): void {
    for (let left = count; left > 0; left--) this.next();
  }

  /** All that are left. */
  rest(): number[] {
    const found: number[] = [];
    while (this.at < this.bytes.length) found.push(this.next());
    return found;
  }
}

/** All numbers of a record; none where it is no blob. */
export function numbersOf(block: unknown): number[] {
  return block instanceof Uint8Array ? new VarintReader(block).rest() : [];
}
