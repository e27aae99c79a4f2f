import type { Paper } from './paper.ts';

const WIDTH = 720;
const MARGIN = 56;
const LINE = 56;
/** At the foot, below the last line. */
const SIGNATURE = { width: 300, height: 110, below: 150 };
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

/** The shop's signature with its name, as large as its place allows. */
function sign(context: CanvasRenderingContext2D, drawn: HTMLImageElement, shop: string, top: number): void {
  const { naturalWidth, naturalHeight } = drawn;
  const scale = Math.min(SIGNATURE.width / naturalWidth, SIGNATURE.height / naturalHeight, 1);
  const [width, height] = [naturalWidth * scale, naturalHeight * scale];
  context.drawImage(drawn, WIDTH - MARGIN - width, top + SIGNATURE.height - height, width, height);
  fitted(context, shop, 20, 400, SIGNATURE.width);
  context.fillStyle = FADED;
  context.textAlign = 'right';
  context.fillText(shop, WIDTH - MARGIN, top + SIGNATURE.height + 24);
  context.textAlign = 'left';
}

/** @returns undefined where there is none, or it is no picture: the receipt is as good without it */
async function pictureOf(url: string | undefined): Promise<HTMLImageElement | undefined> {
  if (!url) return undefined;
  const image = new Image();
  image.src = url;
  try {
    await image.decode();
    return image;
  } catch {
    return undefined;
  }
}

/** @returns the receipt as a PNG to share; null where the browser cannot draw. @param title the word for it, before its number */
export async function paperPicture(paper: Paper, title: string): Promise<File | null> {
  const canvas = document.createElement('canvas');
  const signature = await pictureOf(paper.signature);
  const foot = 330 + paper.lines.length * LINE;
  const height = foot + (signature ? SIGNATURE.below : 0) + 24;
  Object.assign(canvas, { width: WIDTH, height });
  const context = canvas.getContext('2d');
  if (!context) return null;
  draw(context, paper, title, height);
  if (signature) sign(context, signature, paper.shop, foot - LINE / 2);
  const blob = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/png'));
  return blob && new File([blob], `${paper.no.replaceAll(/[^\w-]+/g, '-')}.png`, { type: 'image/png' });
}
