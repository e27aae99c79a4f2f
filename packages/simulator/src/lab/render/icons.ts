import { html, trusted } from './html.ts';
import type { Html } from './html.ts';

/** One stroke, 24 × 24; drawn for this page. */
const PATHS = {
  lock: '<rect x="5" y="11" width="14" height="9" rx="2.5"/><path d="M8 11V8a4 4 0 0 1 8 0v3"/>',
  open: '<rect x="5" y="11" width="14" height="9" rx="2.5"/><path d="M8 11V8a4 4 0 0 1 7.5-2"/>',
  bell: '<path d="M6 16v-5a6 6 0 1 1 12 0v5l1.5 2h-15zM10 20.5h4"/>',
  image: '<rect x="4" y="4" width="16" height="16" rx="3"/><path d="M4 16l5-5 4 4 2-2 5 5"/><path d="M15 8.500h.01"/>',
  off: '<path d="M12 4v7M7 6.500a7.500 7.500 0 1 0 10 0"/>',
  boot: '<path d="M19 12a7 7 0 1 1-2.200-5.100M19 4v4h-4"/>',
  signal: '<path d="M5 18v-3M10 18v-6M15 18V9M20 18V5"/>',
  nosignal: '<path d="M5 18v-3M10 18v-6M20 18V5M15 18v-4M4 4l16 16"/>',
  sim: '<path d="M8 3h7l4 4v13a1 1 0 0 1-1 1H7a1 1 0 0 1-1-1V5a2 2 0 0 1 2-2z"/><rect x="9.500" y="11" width="6" height="6" rx="1"/>',
  clock: '<circle cx="12" cy="12" r="8"/><path d="M12 7.500V12l3 2"/>',
  battery: '<rect x="3" y="8" width="15" height="8" rx="2"/><path d="M21 11v2"/>',
  trash: '<path d="M5 7h14M10 7V5h4v2M7 7l1 13h8l1-13"/>',
  qr: '<path d="M4 4h6v6H4zM14 4h6v6h-6zM4 14h6v6H4zM14 14h2v2h-2zM18 18h2v2h-2zM18 14h2M14 18v2"/>',
  back: '<path d="M15 5l-7 7 7 7"/>',
  plus: '<path d="M12 5v14M5 12h14"/>',
  mail: '<rect x="4" y="6" width="16" height="12" rx="2.500"/><path d="M5 8l7 5 7-5"/>',
  wrong: '<path d="M12 4l9 16H3zM12 10v4M12 17h.01"/>',
  check: '<path d="M5 12.500l4.500 4.500L19 7.500"/>',
  send: '<path d="M4 12l16-7-5 15-3.500-6z"/>',
  phone:
    '<path d="M6 4h3l1.500 4.500L8.500 10a12 12 0 0 0 5.500 5.500l1.500-2L20 15v3a2 2 0 0 1-2 2A14 14 0 0 1 4 6a2 2 0 0 1 2-2z"/>',
  messages: '<path d="M5 5h14a1 1 0 0 1 1 1v9a1 1 0 0 1-1 1h-8l-4 4v-4H5a1 1 0 0 1-1-1V6a1 1 0 0 1 1-1z"/>',
  internet: '<circle cx="12" cy="12" r="8"/><path d="M4 12h16M12 4c3 3 3 13 0 16M12 4c-3 3-3 13 0 16"/>',
  pay: '<path d="M7 5h10M7 9h10M8 5c6 0 6 8 0 8l7 7"/>',
  camera: '<path d="M4 8h3l2-2.500h6L17 8h3v11H4z"/><circle cx="12" cy="13" r="3.200"/>',
  maps: '<path d="M12 21s7-6 7-11a7 7 0 1 0-14 0c0 5 7 11 7 11z"/><circle cx="12" cy="10" r="2.500"/>',
  gallery:
    '<rect x="4" y="4" width="16" height="16" rx="3"/><circle cx="9" cy="9" r="1.800"/><path d="M4 17l5-4 4 3 3-2 4 3"/>',
  settings:
    '<circle cx="12" cy="12" r="3"/><path d="M12 4v2.500M12 17.500V20M4 12h2.500M17.500 12H20M6.300 6.300l1.800 1.800M15.900 15.900l1.800 1.800M17.700 6.300l-1.800 1.800M8.100 15.900l-1.800 1.800"/>',
  video: '<rect x="3.500" y="6" width="17" height="12" rx="3"/><path d="M10.500 9.500l4.500 2.500-4.500 2.500z"/>',
  music: '<path d="M9 18V6l10-2v12"/><circle cx="6.500" cy="18" r="2.500"/><circle cx="16.500" cy="16" r="2.500"/>',
  games:
    '<path d="M8 8h8a5 5 0 0 1 5 5c0 5-3 5-5 2H8c-2 3-5 3-5-2a5 5 0 0 1 5-5zM8 10.500v3M6.500 12h3M16 11h.01M17.500 13.500h.01"/>',
  social:
    '<circle cx="9" cy="8" r="3.200"/><path d="M3.500 19c.6-3.200 2.800-5 5.500-5s4.900 1.800 5.500 5M16 5.500a3 3 0 0 1 0 5.600M17.500 14.300c1.800.7 2.800 2.300 3.200 4.700"/>',
} as const;
export type IconName = keyof typeof PATHS;

/** Decoration beside words: hidden from readers of the screen. */
export const icon = (name: IconName): Html =>
  html`<svg class="icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">${trusted(PATHS[name])}</svg>`;
