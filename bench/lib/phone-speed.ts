import type { Browser } from '@playwright/test';
import { chromiumFlags, findChromium } from '#scripts/lib/chromium.mjs';

/** On Lighthouse's scale of processors ("BenchmarkIndex", its docs/throttling.md): a desk that is slowed down four times, in the middle of its bracket of 1500 to 2000. */
const PHONE_INDEX = 1750 / 4;
const PART_MS = 500;
const TRIES = 3;

/**
 * How many times slower the browser has to run here to stand for one and the same phone: by four, the usual word, only a fast desk becomes one, and a slow machine a
 * phone that nobody has.
 * @returns at least 1, to one digit; found once, before anything is measured
 */
export const phoneSlowdown = (): Promise<number> => (found ??= find());
let found: Promise<number> | undefined;

async function find(): Promise<number> {
  const { chromium } = await import('@playwright/test');
  const executablePath = await findChromium({ isWhole: true });
  const browser = await chromium.launch({ args: chromiumFlags, ...(executablePath ? { executablePath } : {}) });
  try {
    return Math.max(1, Math.round(((await indexOf(browser)) / PHONE_INDEX) * 10) / 10);
  } finally {
    await browser.close();
  }
}

/** The best of some tries: whatever else runs here only takes away. */
async function indexOf(browser: Browser): Promise<number> {
  const page = await browser.newPage();
  let best = 0;
  for (let time = 0; time < TRIES; time += 1) best = Math.max(best, await page.evaluate(work, PART_MS));
  return best;
}

/**
 * Runs in the page. As Lighthouse defines its index: the mean of two kinds of work, each in tens of rounds a second; one makes much that has to be thrown away (a
 * text of 10,000 letters, letter by letter), the other nothing (100,000 numbers from one list to another).
 */
function work(partMs: number): number {
  const tensPerSecond = (round: (n: number) => void): number => {
    const startedAt = performance.now();
    let rounds = 0;
    for (; performance.now() - startedAt < partMs; rounds += 1) round(rounds);
    return rounds / 10 / ((performance.now() - startedAt) / 1000);
  };
  const letters = tensPerSecond(() => {
    let text = '';
    for (let at = 0; at < 10_000; at += 1) text += 'k';
    if (text.length === 1) throw new Error('never');
  });
  const lists = [0, 1].map(() => Array.from({ length: 100_000 }, (_, at) => at)) as [number[], number[]];
  const numbers = tensPerSecond((n) => {
    const from = lists[n % 2 === 0 ? 0 : 1];
    const to = lists[n % 2 === 0 ? 1 : 0];
    for (let at = 0; at < from.length; at += 1) to[at] = from[at] ?? 0;
  });
  return (letters + numbers) / 2;
}
