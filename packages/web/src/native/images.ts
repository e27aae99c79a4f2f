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

/** A part of a picture: in shares of its width and height, 0…1. */
export interface Part {
  x: number;
  y: number;
  width: number;
  height: number;
}
export const WHOLE: Part = { x: 0, y: 0, width: 1, height: 1 };

export interface DrawOptions {
  type?: 'image/jpeg' | 'image/png';
  /** 0…1 */
  quality?: number;
  /** What of the picture is taken. */
  crop?: Part;
  /** What is painted black, in shares of the whole picture: nothing of it is in the file that is made. */
  boxes?: readonly Part[];
}

/** @throws ImageError 'Error reading file' or 'Error loading image': what is no picture for this browser. */
export const openImage = async (file: Blob): Promise<HTMLImageElement> => loadImage(await readFile(file));

/**
 * Makes a picture small enough to send: at most 1200 × 1200, same shape, EXIF (also the place it was taken) gone, turned upright by the browser.
 * @throws ImageError 'Canvas context is not supported', 'Error creating blob', or too large after all.
 */
export async function drawImage(image: HTMLImageElement, options: DrawOptions = {}): Promise<Blob> {
  const { type = 'image/jpeg', quality = LIMITS.imageQuality, crop = WHOLE, boxes = [] } = options;
  const [wide, high] = [image.naturalWidth, image.naturalHeight];
  const part = { x: crop.x * wide, y: crop.y * high, width: crop.width * wide, height: crop.height * high };
  const { width, height } = fitInto(part.width, part.height, LIMITS.imageEdgePx);
  const canvas = document.createElement('canvas');
  canvas.width = Math.round(width);
  canvas.height = Math.round(height);
  const context = canvas.getContext('2d');
  if (!context) throw new ImageError('errors.image_canvas');
  if (type === 'image/jpeg') {
    // JPEG has no transparency: without this a see-through PNG turns black.
    context.fillStyle = '#fff';
    context.fillRect(0, 0, width, height);
  }
  context.drawImage(image, part.x, part.y, part.width, part.height, 0, 0, width, height);
  const scale = width / part.width;
  context.fillStyle = '#000';
  for (const box of boxes)
    context.fillRect(
      (box.x * wide - part.x) * scale,
      (box.y * high - part.y) * scale,
      box.width * wide * scale,
      box.height * high * scale,
    );
  return fileOf(canvas, type, quality);
}

/** @throws ImageError 'Error creating blob', or too large for the server. */
async function fileOf(canvas: HTMLCanvasElement, type: 'image/jpeg' | 'image/png', quality?: number): Promise<Blob> {
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, type, quality));
  if (!blob) throw new ImageError('errors.image_blob');
  if (blob.size > LIMITS.uploadBytes) throw new ImageError('errors.TOO_LARGE');
  return blob;
}

/** The same of a file. @throws ImageError one of the specification's four, or too large after all. */
export const compressImage = async (file: Blob, options: DrawOptions = {}): Promise<Blob> =>
  drawImage(await openImage(file), options);

/** What was drawn here, as a PNG of the same bounds: a big screen's canvas is larger than a picture may be. @throws ImageError as a file's, or without a canvas */
export async function canvasPng(canvas: HTMLCanvasElement | null): Promise<Blob> {
  if (!canvas) throw new ImageError('errors.image_canvas');
  return compressImage(await fileOf(canvas, 'image/png'), { type: 'image/png' });
}

/** @throws ImageError 'Error reading file' */
export const dataUrlOf = (blob: Blob): Promise<string> => readFile(blob);
