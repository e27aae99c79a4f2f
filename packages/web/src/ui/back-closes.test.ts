// @vitest-environment jsdom
import { beforeEach, expect, it, vi } from 'vitest';
import { closesOnBack } from './back-closes.ts';

/** As the router tells it. */
const leave = (detail: boolean) => window.dispatchEvent(new CustomEvent('app-leaving', { detail }));

const router = vi.fn<() => void>();
window.addEventListener('popstate', router);
const settled = () => new Promise((done) => setTimeout(done, 120));
let at = 0;
beforeEach(() => {
  window.history.pushState({ idx: (at += 1) }, '', `/page-${at}`);
  router.mockClear();
});

it('back closes the sheet on top, then the one below, and only then leaves the page', async () => {
  const closed: string[] = [];
  const ways: Record<string, () => void> = {};
  for (const name of ['below', 'top'])
    ways[name] = closesOnBack(() => {
      closed.push(name);
      ways[name]!();
    });
  for (const expected of [['top'], ['top', 'below']]) {
    window.history.back();
    await settled();
    expect(closed).toEqual(expected);
    expect(window.location.pathname).toBe(`/page-${at}`);
  }
  expect(router).not.toHaveBeenCalled();
  expect(window.history.state).toEqual({ idx: at });
  window.history.back();
  await settled();
  expect(router).toHaveBeenCalledTimes(1);
  expect(window.location.pathname).not.toBe(`/page-${at}`);
});

it('a sheet that is closed otherwise leaves no entry, and the router hears nothing of it', async () => {
  closesOnBack(() => {})();
  await settled();
  expect(window.history.state).toEqual({ idx: at });
  expect(router).not.toHaveBeenCalled();
});

it('a sheet that gives way to another one has one entry with it', async () => {
  const first = closesOnBack(() => {});
  first();
  const second = closesOnBack(() => {});
  await settled();
  expect(window.history.state).toEqual({ idx: at, sheets: 1 });
  second();
  await settled();
  expect(window.history.state).toEqual({ idx: at });
});

it('from a page that a sheet led to, one step back is the page below the sheet', async () => {
  const gone = closesOnBack(() => {});
  window.history.pushState({ idx: at + 1 }, '', '/next');
  gone();
  await settled();
  expect(window.location.pathname).toBe('/next');
  window.history.back();
  await settled();
  expect([window.location.pathname, window.history.state]).toEqual([`/page-${at}`, { idx: at }]);
  expect(router).toHaveBeenCalledTimes(1);
});

it('one that will not be closed has its entry again', async () => {
  const gone = closesOnBack(() => {});
  window.history.back();
  await settled();
  expect(window.history.state).toEqual({ idx: at, sheets: 1 });
  gone();
  await settled();
});

it('no step back is taken while another page is on its way', async () => {
  const gone = closesOnBack(() => {});
  leave(true);
  gone();
  await settled();
  expect(window.history.state).toEqual({ idx: at, sheets: 1 });
  window.history.pushState({ idx: at + 1 }, '', '/next');
  leave(false);
  await settled();
  expect(window.location.pathname).toBe('/next');
});

it('two sheets that close one shortly after the other go back once: the page stays, and a sheet that opens meanwhile too', async () => {
  const go = window.history.go.bind(window.history);
  vi.spyOn(window.history, 'go').mockImplementation((delta) => void setTimeout(() => go(delta), 40));
  const [below, top] = [closesOnBack(() => {}), closesOnBack(() => {})];
  top();
  await new Promise((done) => setTimeout(done, 15));
  below();
  await new Promise((done) => setTimeout(done, 45));
  const closed = vi.fn<() => void>();
  const gone = closesOnBack(closed);
  await settled();
  expect([window.location.pathname, window.history.state]).toEqual([`/page-${at}`, { idx: at, sheets: 1 }]);
  expect(closed).not.toHaveBeenCalled();
  gone();
  await settled();
  expect(window.history.state).toEqual({ idx: at });
  expect(router).not.toHaveBeenCalled();
});
