export type ImageMime = 'image/png' | 'image/jpeg';

/** @returns what the bytes claim to be by their own first bytes, whatever the sender called them; undefined when neither PNG nor JPEG. */
export function imageMime(bytes: Uint8Array): ImageMime | undefined {
  const begins = (start: readonly number[]) => start.every((byte, index) => bytes[index] === byte);
  if (begins([0x89, 0x50, 0x4e, 0x47])) return 'image/png';
  return begins([0xff, 0xd8, 0xff]) ? 'image/jpeg' : undefined;
}
