import { crc32, deflateSync } from 'node:zlib';

/** A picture as pixels, row by row; a pixel is four bytes: red, green, blue and opacity. */
export interface Pixels {
  readonly width: number;
  readonly height: number;
  readonly pixels: Uint8Array;
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
/** End of the chunk IHDR of a PNG: 8 bits each for red, green, blue and opacity; not interlaced. */
const RGBA = [8, 6, 0, 0, 0];
/**
 * A compression level of zlib that takes half of the time of the usual level 6, for 5 % more bytes.
 */
const LEVEL = 4;

/**
 * Writes pixels as PNG (W3C Recommendation, third edition). The zlib of Node takes a quarter of the
 * time that a zlib in WebAssembly takes.
 */
export function encodePng({ width, height, pixels }: Pixels): Buffer {
  const size = Buffer.alloc(8);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  const bytes = 4 * width;
  // Each row of a PNG begins with the number of its filter; 0 stands for no filter.
  const rows = Buffer.alloc((bytes + 1) * height);
  for (let row = 0; row < height; row++) {
    rows.set(pixels.subarray(row * bytes, (row + 1) * bytes), row * (bytes + 1) + 1);
  }
  return Buffer.concat([
    SIGNATURE,
    chunk('IHDR', Buffer.concat([size, Buffer.from(RGBA)])),
    chunk('IDAT', deflateSync(rows, { level: LEVEL })),
    chunk('IEND', Buffer.alloc(0)),
  ]);
}

function chunk(name: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(name, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
