import { ImageError } from './image-error.ts';
import { LIMITS } from '@kist/contract/limits';

/** @returns the size that fits into `edge` × `edge`, same shape, never larger than the original. */
export function fitInto(width: number, height: number, edge: number): { width: number; height: number } {
  const scale = Math.min(1, edge / width, edge / height);
  return { width: Math.max(1, Math.round(width * scale)), height: Math.max(1, Math.round(height * scale)) };
}

function readFile(file: Blob): Promise<string> {
  return new Promise((resolve, reject) => {
    const reader = new FileReader();
    reader.onload = () => resolve(reader.result as string);
    reader.onerror = () => reject(new ImageError('errors.image_read'));
    reader.readAsDataURL(file);
  });
}

function loadImage(url: string): Promise<HTMLImageElement> {
  return new Promise((resolve, reject) => {
    const image = new Image();
    image.onload = () => resolve(image);
    image.onerror = () => reject(new ImageError('errors.image_load'));
    image.src = url;
  });
}

/**
 * Makes a photo small enough to send: at most 1200 × 1200, same shape, EXIF (also the place it was taken) gone, turned upright by the browser.
 * @param options type JPEG (default) or PNG; quality 0…1, default 0.8.
 * @throws ImageError 'Canvas context is not supported', 'Error creating blob', 'Error loading image', 'Error reading file', or too large after all.
 */
export async function compressImage(
  file: Blob,
  options: { type?: 'image/jpeg' | 'image/png'; quality?: number } = {},
): Promise<Blob> {
  const { type = 'image/jpeg', quality = LIMITS.imageQuality } = options;
  const image = await loadImage(await readFile(file));
  const { width, height } = fitInto(image.naturalWidth, image.naturalHeight, LIMITS.imageEdgePx);
  const canvas = document.createElement('canvas');
  canvas.width = width;
  canvas.height = height;
  const context = canvas.getContext('2d');
  if (!context) throw new ImageError('errors.image_canvas');
  if (type === 'image/jpeg') {
    // JPEG has no transparency: without this a see-through PNG turns black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(image, 0, 0, width, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  if (!blob) throw new ImageError('errors.image_blob');
  if (blob.size > LIMITS.uploadBytes) throw new ImageError('errors.TOO_LARGE');
  return blob;
}
