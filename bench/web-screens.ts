import type { BrowserContext, Page } from '@playwright/test';
import { findChromium } from '#scripts/lib/chromium.mjs';
import { serveFront } from '#scripts/lib/front.mjs';
import { serveBare } from '#bench/lib/bare-site.ts';
import { type Bench, type Figure, median, spreadOf } from '#bench/lib/figures.ts';
import { idOf, tokenOf } from '#bench/lib/plant.ts';
import { LINE, SLOWER, inProfile } from '#bench/lib/profile.ts';
import { onStage } from '#bench/lib/stage.ts';

const ROUNDS = 5;
/** One shop with a book of ten thousand, one with fifty. */
const LARGE = { orgId: 50, phones: 10_000 };
const SMALL = { orgId: 51, phones: 50 };
/** INP: a cheaper phone yet, and what a thumb does in a list. */
const INP_SLOWER = 6;
const PRESSES = 12;
/** Nothing more comes after it, and long tasks have ended. */
const QUIET_MS = 3000;
/** A page that goes on asking has no end that could be measured. */
const LOUD_MS = 60_000;

const SCREENS: Readonly<Record<string, string>> = {
  home: '/dashboard',
  list: '/customers',
  customer: `/customers/${idOf(LARGE.orgId, 'customer', 1)}`,
  sale: '/add-customer',
  EMI: `/view-emi-details/${idOf(LARGE.orgId, 'customer', 1)}`,
};

interface Seen {
  fcpMs: number;
  lcpMs: number;
  cls: number;
  /** What long tasks took beyond 50 ms, from the first paint on. */
  tbtMs: number;
  /** Of accessibility, of good practice and for search engines. */
  faults: string[];
}

/** Screen by screen on a phone, against the bare React page in the same run; and how soon a list answers a thumb. */
export const webScreens: Bench = {
  name: 'web-screens',
  unavailable: async () => ((await findChromium({ isWhole: true })) ? undefined : 'there is no Chromium'),
  run: () =>
    onStage(
      [LARGE, SMALL].map((shop) => ({ ...shop, retailers: 1, level: 0 as const, hasBooks: true })),
      async ({ port }) => {
        const bare = await serveBare();
        const fronts = await Promise.all([bare.port, port].map(serveFront));
        const [bareFront, front] = fronts.map(({ url }) => url) as [string, string];
        try {
          return [...(await look(`${bareFront}/`, front)), ...(await answers(front))];
        } finally {
          for (const { close } of [...fronts, bare]) close();
        }
      },
      // Login is that of a shop that there is: else the app asks in vain whose colours to wear.
      { KIST_RATE_LIMIT_FACTOR: '10000', KIST_DEFAULT_ORG: String(LARGE.orgId) },
    ),
};

async function look(bareUrl: string, app: string): Promise<Figure[]> {
  const rounds: Record<string, Seen[]> = {};
  const see = async (name: string, url: string, token?: string) => {
    const seen = await signedIn(app, token, (context) =>
      visit(context, url, rounds[name] === undefined && url !== bareUrl),
    );
    (rounds[name] ??= []).push(seen);
  };
  for (let round = 0; round < ROUNDS; round += 1) {
    await see('bare', bareUrl);
    await see('login', `${app}/login`);
    for (const [name, at] of Object.entries(SCREENS)) await see(name, app + at, tokenOf(LARGE.orgId, 1));
  }
  const { bare = [], ...screens } = rounds;
  return Object.entries(screens).flatMap(([name, seen]) => figuresOf(name, seen, bare));
}

/** Lighthouse's curves for a phone: where a figure has 90 points and where 50, and what it weighs. Its speed index is left out: it needs pictures of the page. */
const CURVES = [
  { of: (seen: Seen) => seen.fcpMs, p10: 1800, median: 3000, weight: 10 },
  { of: (seen: Seen) => seen.lcpMs, p10: 2500, median: 4000, weight: 25 },
  { of: (seen: Seen) => seen.tbtMs, p10: 200, median: 600, weight: 30 },
  { of: (seen: Seen) => seen.cls, p10: 0.1, median: 0.25, weight: 25 },
];
/** Of the normal distribution, to seven digits (Abramowitz and Stegun 7.1.26). */
function erf(x: number): number {
  const t = 1 / (1 + 0.3275911 * Math.abs(x));
  const tail = ((((1.061405429 * t - 1.453152027) * t + 1.421413741) * t - 0.284496736) * t + 0.254829592) * t;
  return Math.sign(x) * (1 - tail * Math.exp(-x * x));
}
/** 0.9 of its argument, where the curve has 90 points. */
const AT_P10 = 0.9061938024368232;
const points = (seen: Seen): number => {
  const sum = CURVES.reduce((total, { of, p10, median: middle, weight }) => {
    const distance = Math.log(Math.max(of(seen), 1e-6) / middle) / (Math.log(middle / p10) || 1);
    return total + (weight * (1 - erf(distance * AT_P10))) / 2;
  }, 0);
  return Math.round((sum / CURVES.reduce((total, { weight }) => total + weight, 0)) * 100);
};

function figuresOf(name: string, seen: readonly Seen[], bare: readonly Seen[]): Figure[] {
  const of = (pick: (one: Seen) => number, from = seen) => median(from.map(pick));
  const [score, bareScore] = [of(points), of(points, bare)];
  const [lcpMs, bareLcpMs] = [of((one) => one.lcpMs), of((one) => one.lcpMs, bare)];
  const faults = [...new Set(seen.flatMap((one) => one.faults))];
  const rounds = seen.length;
  const lost = seen.map((one, round) => points(one) - points(bare[round]!));
  return [
    {
      name: `${name}: performance`,
      of: "points on Lighthouse's curves − those of the bare React page",
      value: score - bareScore,
      unit: 'points',
      atLeast: -3,
      rounds,
      detail: `${score} − ${bareScore}, in single rounds ${Math.min(...lost)} to ${Math.max(...lost)}; blocked ${of((one) => one.tbtMs).toFixed(0)} ms`,
    },
    {
      name: `${name}: LCP`,
      of: 'first visit ÷ bare React page',
      value: lcpMs / bareLcpMs,
      unit: '×',
      atMost: 1.5,
      spread: spreadOf(seen.map((one, round) => one.lcpMs / bare[round]!.lcpMs)) / (lcpMs / bareLcpMs),
      rounds,
      detail: `${(lcpMs / 1000).toFixed(2)} s ÷ ${(bareLcpMs / 1000).toFixed(2)} s`,
    },
    {
      name: `${name}: layout shift`,
      of: 'CLS while it loads',
      value: of((one) => one.cls),
      unit: '',
      atMost: 0.05,
      rounds,
      detail: 'of the browser itself',
    },
    {
      name: `${name}: faults`,
      of: 'accessibility (axe), good practice, search engines',
      value: faults.length,
      unit: '',
      atMost: 0,
      detail: faults.join(', ') || 'none',
    },
  ];
}

/** One first visit, and what is wrong with the page once it stands. */
async function visit(context: BrowserContext, url: string, isLookedThrough: boolean): Promise<Seen> {
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on(
    'console',
    (message) => message.type() === 'error' && complaints.push(`console: ${message.text().slice(0, 80)}`),
  );
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', LINE);
  await page.addInitScript(watch);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const quiet = whenQuiet(page);
  const answer = await page.goto(url);
  await quiet();
  const times = await page.evaluate(() => (window as unknown as { seen: Omit<Seen, 'faults'> }).seen);
  if (new URL(page.url()).pathname !== new URL(url).pathname) throw new Error(`${url} was left for ${page.url()}`);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: 1 });
  const faults = isLookedThrough ? [...complaints, ...(await faultsOf(page, answer?.status() ?? 0))] : [];
  await page.close();
  return { ...times, faults };
}

/** Nothing was asked and nothing has come for so long. A live stream stays open for good: the browser's own word for a quiet line never comes then. */
function whenQuiet(page: Page): () => Promise<void> {
  let lastMs = performance.now();
  const note = () => void (lastMs = performance.now());
  page.on('request', note).on('requestfinished', note).on('requestfailed', note);
  return async () => {
    const latestMs = performance.now() + LOUD_MS;
    for (let leftMs = 1; leftMs > 0; leftMs = lastMs + QUIET_MS - performance.now()) {
      if (performance.now() > latestMs) throw new Error(`${page.url()} is never quiet`);
      await page.waitForTimeout(leftMs);
    }
  };
}

/** Runs in the page. */
function watch(): void {
  const seen = { fcpMs: 0, lcpMs: 0, cls: 0, tbtMs: 0 };
  Object.assign(window, { seen });
  const on = (type: string, take: (entry: PerformanceEntry & Record<string, unknown>) => void) =>
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries()) take(entry as PerformanceEntry & Record<string, unknown>);
    }).observe({ type, buffered: true });
  on('paint', ({ name, startTime }) => name === 'first-contentful-paint' && (seen.fcpMs = startTime));
  on('largest-contentful-paint', ({ startTime }) => (seen.lcpMs = startTime));
  on('layout-shift', ({ value, hadRecentInput }) => hadRecentInput || (seen.cls += value as number));
  on('longtask', ({ startTime, duration }) => startTime >= seen.fcpMs && (seen.tbtMs += duration - 50));
}

/** What Lighthouse takes points off for, as far as a page of this app can have it. */
async function faultsOf(page: Page, status: number): Promise<string[]> {
  const { default: AxeBuilder } = await import('@axe-core/playwright');
  const { violations } = await new AxeBuilder({ page }).analyze();
  const others = await page.evaluate(() => {
    const meta = (name: string) => document.querySelector<HTMLMetaElement>(`meta[name=${name}]`)?.content ?? '';
    const links = [...document.querySelectorAll('a')];
    const images = [...document.querySelectorAll('img')];
    const checks: Record<string, boolean> = {
      doctype: document.doctype?.name === 'html' && document.doctype.publicId === '',
      charset: document.characterSet === 'UTF-8',
      title: document.title.trim() !== '',
      description: meta('description') !== '',
      viewport:
        /width=device-width/.test(meta('viewport')) && !/user-scalable\s*=\s*no|maximum-scale/.test(meta('viewport')),
      lang: /^[a-z]{2}/.test(document.documentElement.lang),
      indexable: !/noindex/.test(meta('robots')),
      'links lead somewhere': links.every((link) => !/^(javascript:|$)/.test(link.getAttribute('href') ?? '')),
      'links have words': links.every((link) => (link.textContent || link.ariaLabel || '').trim() !== ''),
      'pictures have their own proportions': images.every(
        ({ naturalWidth, naturalHeight, width, height }) =>
          naturalWidth === 0 || height === 0 || Math.abs(naturalWidth / naturalHeight - width / height) < 0.1,
      ),
      'pictures are described': images.every((image) => image.hasAttribute('alt')),
    };
    return Object.keys(checks).filter((check) => !checks[check]);
  });
  return [...violations.map(({ id }) => `axe: ${id}`), ...others, ...(status === 200 ? [] : [`status ${status}`])];
}

/** A phone's own browser with nothing in it but a session. */
const signedIn = <T>(
  app: string,
  token: string | undefined,
  work: (context: BrowserContext) => Promise<T>,
): Promise<T> =>
  inProfile(async (context) => {
    if (token !== undefined) await signIn(await context.newPage(), app, token);
    return work(context);
  }, 'block');

async function signIn(page: Page, app: string, token: string): Promise<void> {
  const orgId = Number.parseInt(token.split('.')[0]!, 36);
  await page.goto(`${app}/kist-config.json`);
  await page.evaluate(
    (kept) => {
      for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
      document.cookie = 'i18next=en; path=/';
    },
    {
      token,
      user_id: idOf(orgId, 'user', 1),
      account_id: idOf(orgId, 'user', 1),
      language: 'en',
      // Every session has it: it was given by that server.
      server: '{"baseUrl":"","requestTimeoutMs":30000}',
    },
  );
  await page.close();
}

/** INP of the list with ten thousand rows and with fifty, in turn: what the browser itself says of each press. */
async function answers(app: string): Promise<Figure[]> {
  const [large, small]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    large.push(await signedIn(app, tokenOf(LARGE.orgId, 1), (context) => inpOf(context, `${app}/customers`)));
    small.push(await signedIn(app, tokenOf(SMALL.orgId, 1), (context) => inpOf(context, `${app}/customers`)));
  }
  const [ours, theirs] = [median(large), median(small)];
  const detail = `${ours.toFixed(0)} ms ÷ ${theirs.toFixed(0)} ms, ${PRESSES} presses each, processor ${INP_SLOWER} × slower`;
  return [
    {
      name: 'INP of the list',
      of: '10,000 rows ÷ 50',
      value: ours / theirs,
      unit: '×',
      atMost: 1.2,
      spread: spreadOf(large.map((longest, round) => longest / small[round]!)) / (ours / theirs),
      rounds: ROUNDS,
      detail,
    },
    { name: 'INP of the list', of: '10,000 rows', value: ours, unit: 'ms', atMost: 200, rounds: ROUNDS, detail },
  ];
}

/** @returns the longest of a few presses: with so few that is what INP is. */
async function inpOf(context: BrowserContext, url: string): Promise<number> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await page.addInitScript(() => {
    Object.assign(window, { longestMs: 0 });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as (PerformanceEntry & { interactionId?: number })[])
        if (entry.interactionId)
          Object.assign(window, {
            longestMs: Math.max((window as unknown as { longestMs: number }).longestMs, entry.duration),
          });
    }).observe({ type: 'event', durationThreshold: 16, buffered: true } as PerformanceObserverInit);
  });
  await page.goto(url);
  const chips = page.locator('main button[aria-pressed]');
  await chips.nth(1).waitFor();
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: INP_SLOWER });
  for (let press = 0; press < PRESSES; press += 1) {
    await chips.nth(press % 2).click();
    await page.mouse.wheel(0, 1200);
    await page.waitForTimeout(300);
  }
  const longest = await page.evaluate(() => (window as unknown as { longestMs: number }).longestMs);
  await page.close();
  return longest;
}
