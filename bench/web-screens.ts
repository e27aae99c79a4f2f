import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { BrowserContext, Page } from '@playwright/test';
import { chromiumFlags, findChromium } from '#scripts/lib/chromium.mjs';
import { serveBare } from '#bench/lib/bare-site.ts';
import { type Bench, type Figure, median } from '#bench/lib/figures.ts';
import { idOf, tokenOf } from '#bench/lib/plant.ts';
import { freePort } from '#bench/lib/server.ts';
import { onStage } from '#bench/lib/stage.ts';

const ROUNDS = 5;
/** One shop with a book of ten thousand, one with fifty. */
const LARGE = { orgId: 50, phones: 10_000 };
const SMALL = { orgId: 51, phones: 50 };
const CATEGORIES = ['performance', 'accessibility', 'best-practices', 'seo'] as const;
type Category = (typeof CATEGORIES)[number];
const OTHERS = CATEGORIES.filter((category) => category !== 'performance');
/** INP: a cheap phone, and what a thumb does in a list. */
const SLOWER = 6;
const PRESSES = 12;

const SCREENS: Readonly<Record<string, string>> = {
  home: '/dashboard',
  list: '/customers',
  customer: `/customers/${idOf(LARGE.orgId, 'customer', 1)}`,
  sale: '/add-customer',
  EMI: `/view-emi-details/${idOf(LARGE.orgId, 'customer', 1)}`,
};

interface Seen {
  scores: Record<Category, number>;
  lcpMs: number;
  cls: number;
  /** Audits that took points off, but for those of performance. */
  faults: string[];
}

/** Lighthouse on a phone, screen by screen, against the bare React page in the same run; and how soon a list answers a thumb. */
export const webScreens: Bench = {
  name: 'web-screens',
  unavailable: async () => ((await findChromium()) ? undefined : 'there is no Chromium'),
  run: () =>
    onStage(
      [LARGE, SMALL].map((shop) => ({ ...shop, retailers: 1, level: 0 as const, hasBooks: true })),
      async ({ port }) => {
        const bare = await serveBare();
        try {
          return [...(await seenByLighthouse(bare.url, `http://localhost:${port}`)), ...(await answers(port))];
        } finally {
          bare.close();
        }
      },
      { KIST_RATE_LIMIT_FACTOR: '10000' },
    ),
};

async function seenByLighthouse(bareUrl: string, app: string): Promise<Figure[]> {
  const rounds: Record<string, Seen[]> = {};
  const see = async (name: string, url: string, token?: string) => {
    const seen = await inProfile(app, token, (debugPort) => audit(url, debugPort));
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

function figuresOf(name: string, seen: readonly Seen[], bare: readonly Seen[]): Figure[] {
  const of = (pick: (one: Seen) => number, from = seen) => median(from.map(pick));
  const [score, bareScore] = [of((one) => one.scores.performance), of((one) => one.scores.performance, bare)];
  const [lcpMs, bareLcpMs] = [of((one) => one.lcpMs), of((one) => one.lcpMs, bare)];
  const faults = [...new Set(seen.flatMap((one) => one.faults))].join(', ');
  return [
    {
      name: `${name}: Lighthouse performance`,
      of: 'mobile, points − those of the bare React page',
      value: score - bareScore,
      unit: 'points',
      atLeast: -3,
      rounds: seen.length,
      detail: `${score} − ${bareScore}`,
    },
    {
      name: `${name}: LCP`,
      of: 'Lighthouse mobile ÷ bare React page',
      value: lcpMs / bareLcpMs,
      unit: '×',
      atMost: 1.5,
      rounds: seen.length,
      detail: `${(lcpMs / 1000).toFixed(2)} s ÷ ${(bareLcpMs / 1000).toFixed(2)} s`,
    },
    {
      name: `${name}: layout shift`,
      of: 'CLS of Lighthouse',
      value: of((one) => one.cls),
      unit: '',
      atMost: 0.05,
      rounds: seen.length,
      detail: 'while it loads',
    },
    ...OTHERS.map((category): Figure => ({
      name: `${name}: Lighthouse ${category}`,
      of: 'mobile',
      value: of((one) => one.scores[category]),
      unit: 'points',
      atLeast: 100,
      rounds: seen.length,
      detail: faults || 'nothing found',
    })),
  ];
}

/** One audit as Lighthouse does it for a phone: simulated slow 4G, a processor four times slower. What the profile holds (the session) stays. */
async function audit(url: string, port: number): Promise<Seen> {
  const { default: lighthouse } = await import('lighthouse');
  const result = await lighthouse(url, {
    port,
    output: 'json',
    logLevel: 'error',
    onlyCategories: [...CATEGORIES],
    disableStorageReset: true,
  });
  if (!result) throw new Error(`Lighthouse said nothing of ${url}`);
  const { categories, audits, finalDisplayedUrl, runtimeError } = result.lhr;
  if (runtimeError) throw new Error(`${url}: ${runtimeError.message}`);
  if (new URL(finalDisplayedUrl).pathname !== new URL(url).pathname)
    throw new Error(`${url} was left for ${finalDisplayedUrl}`);
  const points = (category: Category) => Math.round((categories[category]?.score ?? 0) * 100);
  const faults = OTHERS.flatMap((category) =>
    (categories[category]?.auditRefs ?? [])
      .filter(({ id, weight }) => weight > 0 && (audits[id]?.score ?? 1) < 1)
      .map(({ id }) => id),
  );
  return {
    scores: Object.fromEntries(CATEGORIES.map((category) => [category, points(category)])) as Record<Category, number>,
    lcpMs: audits['largest-contentful-paint']?.numericValue ?? Number.NaN,
    cls: audits['cumulative-layout-shift']?.numericValue ?? Number.NaN,
    faults,
  };
}

/** A phone's own browser with nothing in it but a session, and the port that Lighthouse drives it by. */
async function inProfile<T>(
  app: string,
  token: string | undefined,
  work: (debugPort: number, context: BrowserContext) => Promise<T>,
): Promise<T> {
  const { chromium } = await import('@playwright/test');
  const profile = await mkdtemp(path.join(tmpdir(), 'kist-bench-'));
  const executablePath = await findChromium();
  const debugPort = await freePort();
  const context = await chromium.launchPersistentContext(profile, {
    ...(executablePath ? { executablePath } : {}),
    args: [...chromiumFlags, `--remote-debugging-port=${debugPort}`],
    viewport: { width: 360, height: 640 },
    locale: 'en-IN',
    hasTouch: true,
    // A worker of one audit would answer for the server in the next.
    serviceWorkers: 'block',
  });
  try {
    if (token !== undefined) await signIn(await context.newPage(), app, token);
    return await work(debugPort, context);
  } finally {
    await context.close();
    await rm(profile, { recursive: true, force: true });
  }
}

async function signIn(page: Page, app: string, token: string): Promise<void> {
  const orgId = Number.parseInt(token.split('.')[0]!, 36);
  await page.goto(`${app}/kist-config.json`);
  await page.evaluate(
    (kept) => {
      for (const [key, value] of Object.entries(kept)) localStorage.setItem(key, value);
      document.cookie = 'i18next=en; path=/';
    },
    { token, user_id: idOf(orgId, 'user', 1), account_id: idOf(orgId, 'user', 1), language: 'en' },
  );
  await page.close();
}

/** INP of the list with ten thousand rows and with fifty, in turn: what the browser itself says of each press. */
async function answers(port: number): Promise<Figure[]> {
  const app = `http://localhost:${port}`;
  const [large, small]: [number[], number[]] = [[], []];
  for (let round = 0; round < ROUNDS; round += 1) {
    large.push(await inProfile(app, tokenOf(LARGE.orgId, 1), (_port, context) => inpOf(context, `${app}/customers`)));
    small.push(await inProfile(app, tokenOf(SMALL.orgId, 1), (_port, context) => inpOf(context, `${app}/customers`)));
  }
  const [ours, theirs] = [median(large), median(small)];
  const detail = `${ours.toFixed(0)} ms ÷ ${theirs.toFixed(0)} ms, ${PRESSES} presses each, processor ${SLOWER} × slower`;
  return [
    {
      name: 'INP of the list',
      of: '10,000 rows ÷ 50',
      value: ours / theirs,
      unit: '×',
      atMost: 1.2,
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
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  for (let press = 0; press < PRESSES; press += 1) {
    await chips.nth(press % 2).click();
    await page.mouse.wheel(0, 1200);
    await page.waitForTimeout(300);
  }
  const longest = await page.evaluate(() => (window as unknown as { longestMs: number }).longestMs);
  await page.close();
  return longest;
}
