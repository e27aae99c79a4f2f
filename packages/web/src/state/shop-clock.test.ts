import { afterEach, expect, it, vi } from 'vitest';
import { learnShopTime, onClockLeap, shopNowMs } from './shop-clock.ts';

afterEach(() => vi.useRealTimers());

it('a moved clock is told once, a slow network is none', () => {
  vi.useFakeTimers({ now: Date.parse('2026-11-20T10:00:00Z') });
  const leapt = vi.fn<() => void>();
  const stop = onClockLeap(leapt);
  learnShopTime('2026-11-20T10:00:01Z');
  learnShopTime('2026-11-20T10:00:09Z');
  expect(leapt).not.toHaveBeenCalled();
  learnShopTime('2026-11-23T10:00:00Z');
  expect(leapt).toHaveBeenCalledOnce();
  expect(shopNowMs()).toBe(Date.parse('2026-11-23T10:00:00Z'));
  learnShopTime('nonsense');
  learnShopTime('2026-11-23T10:00:02Z');
  expect(leapt).toHaveBeenCalledOnce();
  stop();
  learnShopTime('2026-12-23T10:00:00Z');
  expect(leapt).toHaveBeenCalledOnce();
});
