import { encode } from 'uqr';
import { writeBlackAndWhite } from '#server/platform/png.ts';

/** Free modules around the code: readers want four (ISO/IEC 18004). */
const QUIET = 4;
/** Pixels a module: a code of 700 characters is about 500 wide, sharp on any screen and 3 KB as a PNG. */
const SCALE = 4;

/** The lowest correction makes the fewest and largest modules: a lit screen has no dirt to correct. */
const modulesOf = (text: string): boolean[][] => encode(text, { ecc: 'L', border: QUIET }).data;

/** @returns the code as a data URL of a PNG, black on white. */
export function qrPng(text: string): string {
  const modules = modulesOf(text);
  const edge = modules.length * SCALE;
  const png = writeBlackAndWhite(edge, edge, (x, y) => !modules[Math.floor(y / SCALE)]?.[Math.floor(x / SCALE)]);
  return `data:image/png;base64,${png.toString('base64')}`;
}

/** @returns the code as a data URL of an SVG, one path for all dark modules. */
export function qrSvg(text: string): string {
  const modules = modulesOf(text);
  const path = modules.flatMap((row, y) => row.map((isDark, x) => (isDark ? `M${x} ${y}h1v1h-1z` : ''))).join('');
  const edge = modules.length;
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${edge} ${edge}" shape-rendering="crispEdges"><rect width="${edge}" height="${edge}" fill="#fff"/><path d="${path}"/></svg>`;
  return `data:image/svg+xml;base64,${Buffer.from(svg).toString('base64')}`;
}
