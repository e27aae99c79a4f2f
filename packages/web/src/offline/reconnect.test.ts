import { describe, expect, it, vi } from 'vitest';
import { Reconnect } from './reconnect.ts';

function begin(isWorthAsking = () => true) {
  vi.useFakeTimers();
  const askedAtMs: number[] = [];
  const startMs = Date.now();
  const reconnect = new Reconnect({ askAgain: () => askedAtMs.push(Date.now() - startMs), isWorthAsking });
  return { reconnect, askedAtMs };
}

describe('while the server is not reached', () => {
  it('asks again after 2 s, then at growing intervals of a minute at most', () => {
    const { reconnect, askedAtMs } = begin();
    reconnect.start();
    vi.advanceTimersByTime(200_000);
    expect(askedAtMs).toEqual([2000, 6000, 14_000, 30_000, 62_000, 122_000, 182_000]);
  });

  it('failing again meanwhile changes nothing', () => {
    const { reconnect, askedAtMs } = begin();
    for (let n = 0; n < 10; n += 1) reconnect.start();
    vi.advanceTimersByTime(5000);
    expect(askedAtMs).toEqual([2000]);
  });

  it('an answer ends it, and the next loss begins at 2 s', () => {
    const { reconnect, askedAtMs } = begin();
    reconnect.start();
    vi.advanceTimersByTime(7000);
    reconnect.stop();
    vi.advanceTimersByTime(100_000);
    reconnect.start();
    vi.advanceTimersByTime(2000);
    expect(askedAtMs).toEqual([2000, 6000, 109_000]);
  });

  it('nothing is sent without a network or unseen, and it goes on afterwards', () => {
    let isSeen = false;
    const { reconnect, askedAtMs } = begin(() => isSeen);
    reconnect.start();
    vi.advanceTimersByTime(9000);
    isSeen = true;
    vi.advanceTimersByTime(1000);
    expect(askedAtMs).toEqual([10_000]);
  });
});
