import { ImageError } from '#web/native/image-error.ts';
import { canvasPng } from '#web/native/images.ts';
import type { Drawing } from './drawing.ts';

/** Ink and paper of every signature, also in dark mode: it is a document. */
export const INK = '#16162a';
export const PAPER = '#ffffff';

export type SignMethod = 'signature' | 'typed';

/** @returns the signature as PNG: as drawn, or the typed name. @throws ImageError */
export const signaturePng = (method: SignMethod, drawing: Drawing, typedName: string): Promise<Blob> =>
  method === 'signature' ? drawing.toPng() : typedNamePng(typedName.trim());

/** The name in handwriting on a line, for who cannot or will not draw. @throws ImageError as `canvasPng`, or without a canvas. */
function typedNamePng(name: string): Promise<Blob> {
  const canvas = document.createElement('canvas');
  canvas.width = 720;
  canvas.height = 240;
  const context = canvas.getContext('2d');
  if (!context) throw new ImageError('errors.image_canvas');
  context.fillStyle = PAPER;
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = INK;
  context.textAlign = 'center';
  const family = getComputedStyle(document.body).fontFamily;
  const font = (sizePx: number) => `italic 500 ${sizePx}px ${family}`;
  let sizePx = 84;
  for (context.font = font(sizePx); sizePx > 20 && context.measureText(name).width > 640; context.font = font(sizePx))
    sizePx -= 4;
  context.fillText(name, canvas.width / 2, 140);
  context.fillRect(40, 176, canvas.width - 80, 2);
  return canvasPng(canvas);
}
