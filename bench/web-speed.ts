import { type Server, createServer } from 'node:http';
import { gzipSync } from 'node:zlib';
import type { Browser, BrowserContext, Page } from '@playwright/test';
import { chromiumFlags, findChromium } from '#scripts/lib/chromium.mjs';
import { barePage } from '#bench/lib/bare-page.ts';
import { type Bench, median } from '#bench/lib/figures.ts';
import { onStage } from '#bench/lib/stage.ts';

const ROUNDS = 5;
/** A cheap phone on a slow line: 562 ms there and back, 1.44 Mbit/s, a processor four times slower. */
const LINE = { offline: false, latency: 562, downloadThroughput: (1.44e6 / 8) | 0, uploadThroughput: (675e3 / 8) | 0 };
const SLOWER = 4;

interface Visit {
  lcpMs: number;
  usableMs: number;
}

/** First and repeated visits of the sign-in screen in Chromium, throttled, against a bare React page served the same way. */
export const webSpeed: Bench = {
  name: 'web-speed',
  unavailable: async () => ((await findChromium()) ? undefined : 'there is no Chromium'),
  run: () =>
    onStage([{ orgId: 50, phones: 10, retailers: 1, level: 0, hasBooks: false }], async ({ port }) => {
      const { chromium } = await import('@playwright/test');
      const executablePath = await findChromium();
      const browser = await chromium.launch({ ...(executablePath ? { executablePath } : {}), args: chromiumFlags });
      const bareServer = await serveBare();
      try {
        const bareUrl = `http://localhost:${portOf(bareServer)}/`;
        const appUrl = `http://localhost:${port}/`;
        const rounds: { bare: Visit; cold: Visit; repeat: Visit }[] = [];
        for (let round = 0; round < ROUNDS; round += 1) {
          const bare = await inContext(browser, (context) => visit(context, bareUrl));
          const [cold, repeat] = await inContext(browser, async (context) => {
            const first = await visit(context, appUrl, async (page) => {
              await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
              // The worker fills its cache behind the page.
              await page.waitForTimeout(8000);
            });
            return [first, await visit(context, appUrl)];
          });
          rounds.push({ bare, cold: cold!, repeat: repeat! });
        }
        return figures(rounds);
      } finally {
        bareServer.close();
        await browser.close();
      }
    }),
};

function figures(rounds: readonly { bare: Visit; cold: Visit; repeat: Visit }[]) {
  const ratio = (of: (round: (typeof rounds)[number]) => [number, number]) => {
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
      name: 'repeat visit, usable',
      of: 'second visit ÷ first of bare',
      ...ratio(({ repeat, bare }) => [repeat.usableMs, bare.usableMs]),
      atMost: 0.2,
      detail: `${s(rounds.map(({ repeat }) => repeat.usableMs))} ÷ ${bareUsable}`,
    },
  ];
}

async function inContext<T>(browser: Browser, work: (context: BrowserContext) => Promise<T>): Promise<T> {
  const context = await browser.newContext({ viewport: { width: 360, height: 640 }, locale: 'en-IN', hasTouch: true });
  try {
    return await work(context);
  } finally {
    await context.close();
  }
}

async function visit(context: BrowserContext, url: string, after?: (page: Page) => Promise<void>): Promise<Visit> {
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', LINE);
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: SLOWER });
  await page.addInitScript(watchPage);
  await page.goto(url, { waitUntil: 'commit' });
  await page.waitForFunction(() => (window as unknown as { usableMs?: number }).usableMs !== undefined, undefined, {
    timeout: 60_000,
  });
  await page.waitForTimeout(1000);
  const seen = await page.evaluate(() => ({
    usableMs: (window as unknown as { usableMs: number }).usableMs,
    lcpMs: (window as unknown as { lcpMs: number }).lcpMs,
  }));
  await after?.(page);
  await page.close();
  return seen;
}

/** Runs in the page: usable is when the first field is there, enabled, and the thread free to answer it. */
function watchPage(): void {
  const seen = window as unknown as { usableMs?: number; lcpMs: number };
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) seen.lcpMs = entry.startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  const look = () => {
    const field = document.querySelector<HTMLInputElement>('#root input');
    if (field && !field.disabled) setTimeout(() => (seen.usableMs ??= performance.now()));
    else requestAnimationFrame(look);
  };
  requestAnimationFrame(look);
}

async function serveBare(): Promise<Server> {
  const { html, js } = await barePage();
  const files = new Map([
    ['/', { type: 'text/html; charset=utf-8', content: gzipSync(html) }],
    ['/bare.js', { type: 'text/javascript', content: gzipSync(js, { level: 9 }) }],
  ]);
  const server = createServer((request, reply) => {
    const file = files.get(request.url ?? '');
    if (!file) reply.writeHead(404).end();
    else
      reply
        .writeHead(200, {
          'content-type': file.type,
          'content-encoding': 'gzip',
          'content-length': file.content.length,
        })
        .end(file.content);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return server;
}

const portOf = (server: Server): number => {
  const address = server.address();
  return typeof address === 'object' && address ? address.port : 0;
};
