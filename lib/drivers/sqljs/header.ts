/** The first hundred bytes of a SQLite file, as far as they tell whether to go on. */
export interface Header {
  readonly pageSize: number;
  readonly pages: number;
  readonly userVersion: number;
  readonly applicationId: number;
}

const MAGIC = "SQLite format 3\u0000";
const HEADER_BYTES = 100;

/** What keeps these bytes from being a whole database, in words for a message; undefined where nothing does. */
export function faultOf(bytes: Uint8Array): string | undefined {
  if (bytes.length === 0) return "it is empty";
  if (bytes.length < HEADER_BYTES) return `it is only ${bytes.length} bytes long`;
  const view = viewOf(bytes);
  if (Buffer.from(bytes.subarray(0, 16)).toString("latin1") !== MAGIC) return "it is no SQLite database";
  const size = pageSizeOf(view);
  if (size < 512 || (size & (size - 1)) !== 0) return `its page size ${size} is not possible`;
  if (bytes.length % size !== 0) return `it ends within a page (${bytes.length} bytes, pages of ${size})`;
  // SQLite trusts the count only where these two agree; images of ours always have them so.
  const counted = view.getUint32(24) === view.getUint32(92);
  if (counted && view.getUint32(28) * size !== bytes.length) {
    return `it should have ${view.getUint32(28)} pages of ${size} bytes and is ${bytes.length} bytes long`;
  }
  return undefined;
}

/** Only of bytes without a fault. */
export function readHeader(bytes: Uint8Array): Header {
  const view = viewOf(bytes);
  const pageSize = pageSizeOf(view);
  return {
    pageSize,
    pages: bytes.length / pageSize,
    userVersion: view.getInt32(60),
    applicationId: view.getUint32(68),
  };
}

function pageSizeOf(view: DataView): number {
  const size = view.getUint16(16);
  return size === 1 ? 65_536 : size;
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
