/**
 * The house colours: warm paper, ink, the red thread of a ledger book. The app's first paint, the lab, the waiting page and the brand's arithmetic all take
 * them from here. `edge` is the border of a control: 3:1 against card and paper (WCAG 1.4.11); `line` only separates. `accent*` are the house's own until
 * an organisation's brand takes their place.
 */
export type Mode = 'light' | 'dark';

const light = {
  bg: '#faf8f4',
  card: '#ffffff',
  raise: '#f3efe7',
  ink: '#1c1b19',
  'ink-2': '#5d5a54',
  line: '#e7e2d8',
  edge: '#8b8577',
  rule: '#efeae0',
  accent: '#3538a6',
  'accent-fg': '#ffffff',
  'accent-text': '#3538a6',
  'accent-soft': '#ecedfb',
  ok: '#17714a',
  'ok-soft': '#e3f3ea',
  due: '#8a5300',
  'due-soft': '#fdf0d8',
  over: '#b4301a',
  'over-soft': '#fce6e1',
  'over-fg': '#ffffff',
  lock: '#24262b',
  'lock-soft': '#e6e7ea',
  stitch: '#b4301a',
  scrim: '#1c1b1980',
};
const dark: Record<keyof typeof light, string> = {
  bg: '#131316',
  card: '#1d1d21',
  raise: '#26262b',
  ink: '#f1efe9',
  'ink-2': '#a8a49b',
  line: '#2f2f35',
  edge: '#7c7971',
  rule: '#1b1b1f',
  accent: '#a9adff',
  'accent-fg': '#15164a',
  'accent-text': '#a9adff',
  'accent-soft': '#26284f',
  ok: '#6fd3a1',
  'ok-soft': '#173527',
  due: '#f3bd63',
  'due-soft': '#3a2b10',
  over: '#ff9a86',
  'over-soft': '#45201a',
  'over-fg': '#2b0d07',
  lock: '#e4e5ea',
  'lock-soft': '#33353c',
  stitch: '#d4563f',
  scrim: '#000000a6',
};
export const TOKENS: Record<Mode, Record<keyof typeof light, string>> = { light, dark };

/** @returns the colours of one mode as declarations of a stylesheet: `--bg: #faf8f4; …`. */
export const tokenVars = (mode: Mode): string =>
  Object.entries(TOKENS[mode])
    .map(([name, colour]) => `--${name}: ${colour};`)
    .join(' ');
