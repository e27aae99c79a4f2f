import { useSyncExternalStore } from 'react';

/** How far the product's present is ahead of this phone's clock. */
let offsetMs = 0;
/** A network's delay is no leap; only a demo's clock makes one. */
const LEAP_MS = 30_000;
let isKnown = false;
const leaps = new Set<() => void>();
const ticks = new Set<() => void>();
const TICK_MS = 15_000;
let timer: ReturnType<typeof setInterval> | undefined;
let tickedMs = 0;

function tick(): void {
  tickedMs = shopNowMs();
  for (const tell of ticks) tell();
}

/** @param now `now` of getUserAccess, ISO 8601. */
export function learnShopTime(now: string): void {
  const atMs = Date.parse(now);
  if (!Number.isFinite(atMs)) return;
  const before = offsetMs;
  offsetMs = atMs - Date.now();
  const isLeap = isKnown && Math.abs(offsetMs - before) > LEAP_MS;
  isKnown = true;
  if (!isLeap) return;
  tick();
  for (const tell of leaps) tell();
}

/** The product's clock was moved: what was read before is of another day. @returns a function that hears no more */
export function onClockLeap(tell: () => void): () => void {
  leaps.add(tell);
  return () => void leaps.delete(tell);
}

/** The product's present as far as it is known: ages of what the server dated are told by it, whatever this phone's clock says and wherever a demo moved its own. */
export const shopNowMs = (): number => shopTimeOf(Date.now());

/** @param phoneMs a moment of this phone's clock, ms. @returns the same moment by the product's. */
export const shopTimeOf = (phoneMs: number): number => phoneMs + offsetMs;

function listen(tell: () => void): () => void {
  if (ticks.size === 0) {
    tickedMs = shopNowMs();
    timer = setInterval(tick, TICK_MS);
  }
  ticks.add(tell);
  return () => {
    ticks.delete(tell);
    if (ticks.size === 0) clearInterval(timer);
  };
}

/** The product's present, anew several times a minute: an age on the screen goes on while somebody looks at it. */
export function useShopNowMs(): number {
  useSyncExternalStore(listen, () => tickedMs);
  return shopNowMs();
}
