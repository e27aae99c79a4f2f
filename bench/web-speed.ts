import type { BrowserContext, CDPSession, Page } from '@playwright/test';
import { findChromium } from '#scripts/lib/chromium.mjs';
import { serveBare } from '#bench/lib/bare-site.ts';
import { type Bench, median } from '#bench/lib/figures.ts';
import { LINE, SLOWER, inProfile } from '#bench/lib/profile.ts';
import { onStage } from '#bench/lib/stage.ts';

const ROUNDS = 5;

interface Visit {
  lcpMs: number;
  /** The field can be typed into and the thread is free to answer. */
  usableMs: number;
  /** The app's own code stands behind the field. */
  takenOverMs: number;
}
interface Round {
  bare: Visit;
  cold: Visit;
  repeat: Visit;
}

/** First and repeated visits of the sign-in screen in Chromium, throttled, against a bare React page served the same way. */
export const webSpeed: Bench = {
  name: 'web-speed',
  unavailable: async () => ((await findChromium({ isWhole: true })) ? undefined : 'there is no Chromium'),
  run: () =>
    onStage([{ orgId: 50, phones: 10, retailers: 1, level: 0, hasBooks: false }], async ({ port }) => {
      const bareSite = await serveBare();
      try {
        const bareUrl = bareSite.url;
        const appUrl = `http://localhost:${port}/`;
        const rounds: Round[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const bare = await inProfile((context) => visit(context, bareUrl));
          const app = await inProfile(async (context) => {
            const cold = await visit(context, appUrl, {
              after: async (page) => {
                await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
                // The worker fills its cache behind the page.
                await page.waitForTimeout(8000);
              },
            });
            return { cold, repeat: await visit(context, appUrl, { isTyping: true }) };
          });
          rounds.push({ bare, ...app });
        }
        return figures(rounds);
      } finally {
        bareSite.close();
      }
    }),
};

function figures(rounds: readonly Round[]) {
  const ratio = (of: (round: Round) => [number, number]) => {
    const values = rounds.map(of).map(([mine, other]) => mine / other);
    const value = median(values);
    return { value, unit: '×', rounds: rounds.length, spread: (Math.max(...values) - Math.min(...values)) / value };
  };
  const s = (values: number[]) => `${(median(values) / 1000).toFixed(2)} s`;
  const bareLcp = s(rounds.map(({ bare }) => bare.lcpMs));
  const bareUsable = s(rounds.map(({ bare }) => bare.usableMs));
  return [
    {
      name: 'first visit, LCP',
      of: 'sign-in ÷ bare React page',
      ...ratio(({ cold, bare }) => [cold.lcpMs, bare.lcpMs]),
      atMost: 1,
      detail: `${s(rounds.map(({ cold }) => cold.lcpMs))} ÷ ${bareLcp}`,
    },
    {
      name: 'first visit, usable',
      of: 'field can be typed into ÷ bare',
      ...ratio(({ cold, bare }) => [cold.usableMs, bare.usableMs]),
      atMost: 1.4,
      detail: `${s(rounds.map(({ cold }) => cold.usableMs))} ÷ ${bareUsable}`,
    },
    {
      name: 'first visit, taken over',
      of: "the app's code behind the field ÷ bare",
      ...ratio(({ cold, bare }) => [cold.takenOverMs, bare.takenOverMs]),
      detail: `${s(rounds.map(({ cold }) => cold.takenOverMs))} ÷ ${bareUsable}; no limit`,
    },
    {
      name: 'repeat visit, usable',
      of: 'second visit ÷ first of bare',
      ...ratio(({ repeat, bare }) => [repeat.usableMs, bare.usableMs]),
      atMost: 0.2,
      detail: `${s(rounds.map(({ repeat }) => repeat.usableMs))} ÷ ${bareUsable}`,
    },
    {
      name: 'repeat visit, taken over',
      of: "the app's code behind the field ÷ bare",
      ...ratio(({ repeat, bare }) => [repeat.takenOverMs, bare.takenOverMs]),
      detail: `${s(rounds.map(({ repeat }) => repeat.takenOverMs))} ÷ ${bareUsable}; no limit`,
    },
  ];
}

const TYPED = '9876';

/**
 * One visit in a new tab. Driven by the browser's own protocol: what the test library puts into a page to look at it would run on the thread that is measured.
 * @param options.isTyping types as soon as the field is usable and throws unless it stays there, whoever stands behind the field by then. Ends the
 * search for the largest paint, as any input does.
 */
async function visit(
  context: BrowserContext,
  url: string,
  options: { isTyping?: boolean; after?: (page: Page) => Promise<void> } = {},
): Promise<Visit> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', LINE);
  await devtools.send('Page.enable');
  await devtools.send('Runtime.enable');
  await devtools.send('Runtime.addBinding', { name: 'tellBench' });
  await devtools.send('Page.addScriptToEvaluateOnNewDocument', { source: `(${watchPage.toString()})()` });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  const usable = told<number>(devtools, 'usable');
  const all = told<Visit & { value: string }>(devtools, 'all');
  await devtools.send('Page.navigate', { url });
  await usable;
  const typed = options.isTyping ? TYPED : '';
  for (const text of typed) await devtools.send('Input.dispatchKeyEvent', { type: 'char', text });
  const { value, ...seen } = await all;
  if (value !== typed) throw new Error(`"${typed}" was typed, and then the field of ${url} said "${value}"`);
  await options.after?.(page);
  await page.close();
  return seen;
}

const told = <T>(devtools: CDPSession, what: string): Promise<T> =>
  new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error(`the page never told "${what}"`)), 60_000);
    devtools.on('Runtime.bindingCalled', ({ payload }) => {
      const message = JSON.parse(payload) as Record<string, T>;
      if (!(what in message)) return;
      clearTimeout(timer);
      resolve(message[what]!);
    });
  });

/** Runs in the page: usable is when the first field is there, enabled, painted, and the thread free to answer it. */
function watchPage(): void {
  const tell = (message: unknown) =>
    (globalThis as unknown as { tellBench: (text: string) => void }).tellBench(JSON.stringify(message));
  let lcpMs = 0;
  let usableMs = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) lcpMs = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  const field = () => document.querySelector<HTMLInputElement>('#root input');
  const look = () => {
    const found = field();
    if (found && !found.disabled && !usableMs) {
      usableMs = 1;
      setTimeout(() => {
        usableMs = performance.now();
        field()!.focus();
        tell({ usable: usableMs });
      });
    }
    // The page's own form is gone, or there never was one.
    if (!found || document.getElementById('front')) return requestAnimationFrame(look);
    return setTimeout(() => {
      const takenOverMs = performance.now();
      setTimeout(() => tell({ all: { lcpMs, usableMs, takenOverMs, value: field()!.value } }), 1500);
    });
  };
  requestAnimationFrame(look);
}
