import type { BrandVars } from '@kist/contract/brand';
import type { Layout } from '@kist/contract/codes';
import type { Mode } from '@kist/contract/tokens';

/** What the user chose; 'system' follows the phone. Kept in a cookie so that it outlives a cleared local storage (511). */
export type ThemeChoice = 'light' | 'dark' | 'system';
const THEME_COOKIE = 'theme';
/** Local storage cache that index.html reads before the first paint. */
const BRAND_KEY = 'brand';

const CHOICES: readonly string[] = ['light', 'dark', 'system'];
const darkQuery = () => window.matchMedia?.('(prefers-color-scheme: dark)');

/** @returns the stored choice; 'system' when none. */
export function themeChoice(): ThemeChoice {
  const stored = /(?:^|; )theme=(\w+)/.exec(document.cookie)?.[1] ?? '';
  return CHOICES.includes(stored) ? (stored as ThemeChoice) : 'system';
}

const modeOf = (choice: ThemeChoice): Mode =>
  choice === 'system' ? (darkQuery()?.matches ? 'dark' : 'light') : choice;

/** Stores the choice for a year and paints it. */
export function chooseTheme(choice: ThemeChoice): void {
  document.cookie = `${THEME_COOKIE}=${choice}; path=/; max-age=31536000; samesite=lax`;
  paint();
}

/** What is known of the organisation before, and without, anything else of the app. */
export interface Brand {
  /** What the retailer sees as the app's name: the organisation's, never ours. */
  name: string;
  accent: string;
  logo: string | null;
  languages: readonly string[];
  layout: Layout;
  isDemo: boolean;
  /** Absent in what an older app kept, and in the page until the server said it. */
  hasCompanyLogin?: boolean;
}
interface BrandCache extends Brand {
  light: BrandVars;
  dark: BrandVars;
}

const listeners = new Set<() => void>();
/** For useSyncExternalStore. */
export const subscribeBrand = (listener: () => void) => {
  listeners.add(listener);
  return () => void listeners.delete(listener);
};

/** Takes the organisation's brand: computes its variables, paints them and keeps all for the next first paint. */
export async function applyBrand(brand: Brand): Promise<void> {
  const { brandVars } = await import('@kist/contract/brand');
  const cache: BrandCache = {
    ...brand,
    light: brandVars(brand.accent, 'light'),
    dark: brandVars(brand.accent, 'dark'),
  };
  localStorage.setItem(BRAND_KEY, JSON.stringify(cache));
  paint();
  for (const listener of listeners) listener();
}

/** Sets classes and variables on <html> and the browser bar's colour, from what is stored. */
export function paint(): void {
  const mode = modeOf(themeChoice());
  const page = document.documentElement;
  const brand = storedBrand();
  page.classList.toggle('dark', mode === 'dark');
  page.classList.toggle('compact', brand?.layout === 'compact');
  for (const [name, value] of Object.entries(brand?.[mode] ?? {})) page.style.setProperty(name, value);
  document
    .querySelector('meta[name=theme-color]')
    ?.setAttribute('content', getComputedStyle(page).getPropertyValue('--band').trim());
}

let read: { text: string; brand: BrandCache | undefined } = { text: '', brand: undefined };
/**
 * @returns the last seen brand, else the one that the page came with, so that login shows the shop's name before the server answers; the same object
 * until it changes.
 */
export function storedBrand(): BrandCache | undefined {
  const text =
    localStorage.getItem(BRAND_KEY) || (document.querySelector<HTMLMetaElement>('meta[name=brand]')?.content ?? '');
  if (text !== read.text) read = { text, brand: parseBrand(text) };
  return read.brand;
}

function parseBrand(text: string): BrandCache | undefined {
  try {
    return JSON.parse(text) as BrandCache;
  } catch {
    return undefined;
  }
}

/** Repaints when the phone turns dark or light. */
export function followSystemTheme(): void {
  darkQuery()?.addEventListener('change', paint);
}
