export type ImageMime = 'image/png' | 'image/jpeg';

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a];

/** @returns what the bytes are by their own first bytes, whatever the sender called them; undefined when neither PNG nor JPEG. */
export function imageMime(bytes: Uint8Array): ImageMime | undefined {
  if (bytes.length > 24 && PNG.every((byte, index) => bytes[index] === byte)) return 'image/png';
  if (bytes.length > 24 && bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return 'image/jpeg';
  return undefined;
}

/** Width and height of a PNG from its IHDR chunk; undefined when that chunk is not where the format puts it. */
export function pngSize(bytes: Uint8Array): { width: number; height: number } | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < 33 || view.getUint32(8) !== 13 || view.getUint32(12) !== 0x49484452) return undefined;
  return { width: view.getUint32(16), height: view.getUint32(20) };
}
