import { contrast, parseHex, type Rgb } from '@kist/contract/contrast';
import { TOKENS } from '@kist/contract/tokens';
import type { AuditActor } from '#server/audit/audit.ts';
import * as audit from '#server/audit/audit.ts';
import { sha256 } from '#server/platform/crypto.ts';
import type { Tx } from '#server/platform/database.ts';
import type { Pixels } from '#server/platform/picture.ts';
import { shrink } from '#server/platform/pixels.ts';
import { writePng } from '#server/platform/png.ts';
import type { Reading } from './directory.ts';
import * as store from './logo-store.ts';

/** As the manifest names its icons. */
const EDGES = [192, 512] as const;
type LogoEdge = (typeof EDGES)[number];
/** A launcher cuts icons round: what lies within four fifths of the square stays whole. */
const WITHIN = 0.8;
/** So many pixels its longer side has at least: it is never drawn larger than it came. */
export const LEAST_LOGO_PX = 512 * WITHIN;
const WHITE: Rgb = [255, 255, 255];
const INK = parseHex(TOKENS.light.ink);
/** How far the corners of a picture may differ and still be one ground. */
const ONE_GROUND = 12;
/** Under this against white a logo is made for dark grounds. */
const VISIBLE = 1.5;

/** @returns the logo on a square of this size, all of it within what every launcher shows, on the ground that it comes with or else one it is seen on. */
function squared(logo: Pixels, edge: number): Pixels {
  const small = shrink(logo, Math.floor(edge * WITHIN));
  const ground = groundOf(logo);
  const data = new Uint8Array(edge * edge * 4);
  for (let at = 0; at < data.length; at += 4) data.set([...ground, 255], at);
  const [left, top] = [Math.floor((edge - small.width) / 2), Math.floor((edge - small.height) / 2)];
  for (let y = 0; y < small.height; y += 1)
    for (let x = 0; x < small.width; x += 1) {
      const from = (y * small.width + x) * 4;
      const into = ((top + y) * edge + left + x) * 4;
      const alpha = small.data[from + 3]! / 255;
      for (const channel of [0, 1, 2] as const)
        data[into + channel] = Math.round(small.data[from + channel]! * alpha + ground[channel] * (1 - alpha));
    }
  return { width: edge, height: edge, data };
}

function groundOf(logo: Pixels): Rgb {
  const { width, height } = logo;
  const corners = [0, width - 1, (height - 1) * width, height * width - 1].map((pixel) => pixelAt(logo, pixel));
  const [first] = corners as [Pixel];
  const isOne = corners.every(
    ({ rgb, alpha }) =>
      alpha === 255 && rgb.every((value, channel) => Math.abs(value - first.rgb[channel]!) <= ONE_GROUND),
  );
  if (isOne) return first.rgb;
  return contrast(meanOf(logo), WHITE) >= VISIBLE ? WHITE : INK;
}

interface Pixel {
  rgb: Rgb;
  alpha: number;
}
const pixelAt = ({ data }: Pixels, pixel: number): Pixel => ({
  rgb: [data[pixel * 4]!, data[pixel * 4 + 1]!, data[pixel * 4 + 2]!],
  alpha: data[pixel * 4 + 3]!,
});

/** Of what can be seen; white where nothing can. */
function meanOf({ data }: Pixels): Rgb {
  const sums: [number, number, number] = [0, 0, 0];
  let weight = 0;
  for (let at = 0; at < data.length; at += 4) {
    const alpha = data[at + 3]!;
    weight += alpha;
    for (const channel of [0, 1, 2] as const) sums[channel] += data[at + channel]! * alpha;
  }
  return weight === 0 ? WHITE : [sums[0] / weight, sums[1] / weight, sums[2] / weight];
}

/**
 * Keeps a logo in every size that is shown, as kist_operator, in the place of the one before; none takes it away.
 * @param logo its pixels alone: what else was in the file is not here any more
 */
export async function setLogo(tx: Tx, actor: AuditActor, logo: Pixels | null): Promise<'changed' | 'unchanged'> {
  const pictures = logo === null ? [] : EDGES.map((edge) => ({ edge, png: writePng(squared(logo, edge)) }));
  const last = pictures.at(-1);
  const name = last === undefined ? null : sha256(last.png).toString('hex').slice(0, 12);
  if (name === null) await store.deleteLogos.run(tx, {});
  for (const picture of pictures) await store.upsertLogo.run(tx, picture);
  if (!(await store.nameLogo.first(tx, { logo: name }))) return 'unchanged';
  const action = name === null ? 'logo_removed' : 'logo_set';
  await audit.append(tx, { kind: 'organisation', id: String(tx.orgId), actor, action, data: { logo: name } });
  return 'changed';
}

/** @returns undefined where there is none of this size */
export const readLogo = (db: Reading, orgId: number, edge: number): Promise<Buffer | undefined> =>
  db.read(orgId, async (tx) => (await store.logoOf.first(tx, { edge }))?.png);

const ICON: LogoEdge = 192;
/** Where the app finds it: an address that may be kept, for another logo has another. @returns null where there is none */
export const logoPath = (slug: string, logo: string | null | undefined): string | null =>
  logo ? `/icons/icon-${ICON}.png?${new URLSearchParams({ org: slug, v: logo }).toString()}` : null;
