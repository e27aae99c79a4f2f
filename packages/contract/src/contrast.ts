/** Colour arithmetic for white-label brands: WCAG 2.2 contrast on sRGB, nothing perceptual, so that the checks and the checker agree. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** @param hex `#rrggbb`. @returns the three channels 0…255. */
export function parseHex(hex: string): Rgb {
  const value = Number.parseInt(hex.slice(1), 16);
  return [(value >> 16) & 255, (value >> 8) & 255, value & 255];
}

/** @returns `#rrggbb`. */
export const toHex = (rgb: Rgb): string =>
  `#${rgb.map((channel) => Math.round(channel).toString(16).padStart(2, '0')).join('')}`;

/** @param share 0 gives `from`, 1 gives `to`. */
export const mix = (from: Rgb, to: Rgb, share: number): Rgb => [
  from[0] + (to[0] - from[0]) * share,
  from[1] + (to[1] - from[1]) * share,
  from[2] + (to[2] - from[2]) * share,
];

function luminance(rgb: Rgb): number {
  const [red, green, blue] = rgb.map((channel) => {
    const part = Math.round(channel) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  }) as [number, number, number];
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** @returns the WCAG contrast ratio, 1…21. */
export function contrast(one: Rgb, other: Rgb): number {
  const [light, dark] = [luminance(one), luminance(other)].sort((a, b) => b - a) as [number, number];
  return (light + 0.05) / (dark + 0.05);
}

/** @returns hue 0…6, saturation and lightness 0…1. */
function toHsl(rgb: Rgb): [number, number, number] {
  const [red, green, blue] = rgb.map((channel) => channel / 255) as [number, number, number];
  const top = Math.max(red, green, blue);
  const low = Math.min(red, green, blue);
  const range = top - low;
  const light = (top + low) / 2;
  if (range === 0) return [0, 0, light];
  const hue =
    top === red ? (green - blue) / range + 6 : top === green ? (blue - red) / range + 2 : (red - green) / range + 4;
  return [hue % 6, range / (1 - Math.abs(2 * light - 1)), light];
}

function fromHsl(hue: number, saturation: number, light: number): Rgb {
  const range = saturation * Math.min(light, 1 - light);
  const channel = (turn: number) => {
    const at = (turn + hue * 2) % 12;
    return (light - range * Math.max(-1, Math.min(at - 3, 9 - at, 1))) * 255;
  };
  return [channel(0), channel(8), channel(4)];
}

/** @returns the same hue at another lightness (0…1), livelier the lighter it gets: mixing with white would wash a brand out on a dark page. */
export function relight(rgb: Rgb, light: number): Rgb {
  const [hue, saturation, before] = toHsl(rgb);
  return fromHsl(hue, light > before ? Math.min(1, saturation * 1.6) : saturation, light);
}

/** @returns lightness 0…1. */
export const lightness = (rgb: Rgb): number => toHsl(rgb)[2];
