import type { Paper } from './paper.ts';

const WIDTH = 720;
const MARGIN = 56;
const LINE = 56;
const FONT = 'system-ui, "Noto Sans", sans-serif';
const INK = '#191815';
const FADED = '#5f5b52';
const STITCH = '#c0392b';

/** Text that is too long for its place becomes smaller, never cut off. */
function fitted(context: CanvasRenderingContext2D, text: string, size: number, weight: number, max: number): void {
  let fits = size;
  do context.font = `${weight} ${fits}px ${FONT}`;
  while (context.measureText(text).width > max && (fits -= 2) > 14);
}

/** Paper, the red stitch of the ledger, shop, number, amount, and a line for each fact. */
function draw(context: CanvasRenderingContext2D, paper: Paper, title: string, height: number): void {
  const put = (
    text: string,
    x: number,
    y: number,
    look: { size: number; weight?: number; color?: string; max?: number },
  ) => {
    fitted(context, text, look.size, look.weight ?? 400, look.max ?? WIDTH - 2 * MARGIN);
    context.fillStyle = look.color ?? INK;
    context.fillText(text, x, y);
  };
  context.fillStyle = '#fffdf8';
  context.fillRect(0, 0, WIDTH, height);
  context.strokeStyle = STITCH;
  context.lineWidth = 4;
  context.setLineDash([14, 12]);
  context.strokeRect(24, 24, WIDTH - 48, height - 48);
  put(paper.shop, MARGIN, 108, { size: 40, weight: 700 });
  put(`${title} ${paper.no}`, MARGIN, 156, { size: 26, color: FADED });
  put(paper.amount, MARGIN, 248, { size: 76, weight: 800 });
  paper.lines.forEach(({ label, value }, row) => {
    const y = 330 + row * LINE;
    context.textAlign = 'left';
    put(label, MARGIN, y, { size: 26, color: FADED, max: 270 });
    context.textAlign = 'right';
    put(value, WIDTH - MARGIN, y, { size: 28, weight: 600, max: 330 });
  });
  context.textAlign = 'left';
}

/** @returns the receipt as a PNG to share; null where the browser cannot draw. @param title the word for it, before its number */
export async function paperPicture(paper: Paper, title: string): Promise<File | null> {
  const canvas = document.createElement('canvas');
  const height = 330 + paper.lines.length * LINE + 24;
  Object.assign(canvas, { width: WIDTH, height });
  const context = canvas.getContext('2d');
  if (!context) return null;
  draw(context, paper, title, height);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob && new File([blob], `${paper.no.replaceAll(/[^\w-]+/g, '-')}.png`, { type: 'image/png' });
}
