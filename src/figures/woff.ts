import { inflateSync } from 'node:zlib';

const WOFF_HEADER = 44;
const WOFF_ENTRY = 20;
const HEADER = 12;
const ENTRY = 16;

/**
 * Unpacks the TrueType font of a WOFF 1.0 file (W3C Recommendation), whose tables are compressed
 * with zlib. The renderer, which runs as WebAssembly, would take half a second for a WOFF 2 font.
 */
export function readWoff(woff: Buffer): Buffer {
  const count = woff.readUInt16BE(12);
  const head = Buffer.alloc(HEADER + ENTRY * count);
  head.writeUInt32BE(woff.readUInt32BE(4), 0);
  head.writeUInt16BE(count, 4);
  const parts = [head];
  let offset = head.length;
  for (let table = 0; table < count; table++) {
    const from = WOFF_HEADER + WOFF_ENTRY * table;
    const [start, packed, length] = [4, 8, 12].map((at) => woff.readUInt32BE(from + at)) as [
      number,
      number,
      number,
    ];
    const bytes = woff.subarray(start, start + packed) as Buffer<ArrayBuffer>;
    const data = packed < length ? inflateSync(bytes) : bytes;
    const to = HEADER + ENTRY * table;
    // An entry of the font's directory has a table's tag, checksum, offset and length.
    woff.copy(head, to, from, from + 4);
    woff.copy(head, to + 4, from + 16, from + 20);
    head.writeUInt32BE(offset, to + 8);
    head.writeUInt32BE(length, to + 12);
    // Tables of a TrueType font begin at multiples of four bytes.
    const padding = -length & 3;
    parts.push(data, Buffer.alloc(padding));
    offset += length + padding;
  }
  return Buffer.concat(parts);
}
