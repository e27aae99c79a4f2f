import type { INSIDE_PATHS } from './inside-icons.ts';

/** Our own icon set on a 24-unit grid, drawn with a 1.8 stroke. `M16 14h.01` is a dot with round caps. These are what login draws; the rest is inside-icons.ts. */
export const FRONT_PATHS = {
  back: 'M15 5l-7 7 7 7',
  globe: 'M20.5 12a8.5 8.5 0 1 1-17 0 8.5 8.5 0 0 1 17 0zM3.5 12h17M12 3.5c5 5 5 12 0 17c-5-5-5-12 0-17z',
  warning: 'M12 4l9 16H3zM12 10v4M12 17h.01',
} as const satisfies Record<string, string>;

export type IconName = keyof typeof FRONT_PATHS | keyof typeof INSIDE_PATHS;
