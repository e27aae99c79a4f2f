import { afterEach, vi } from 'vitest';

// A busy machine loads a screen's parts more slowly than a second, and may stand still for some; what never comes is red all the same.
const PATIENCE_MS = 15_000;
const { waitFor, waitUntil } = vi;
vi.waitFor = (callback, options) => waitFor(callback, options ?? PATIENCE_MS);
vi.waitUntil = (callback, options) => waitUntil(callback, options ?? PATIENCE_MS);

// Most tests are of plain rules; those of a page say `@vitest-environment jsdom`, which costs half a second each.
if (typeof document !== 'undefined') {
  await import('@testing-library/jest-dom/vitest');
  const { cleanup, configure } = await import('@testing-library/react');
  configure({ asyncUtilTimeout: PATIENCE_MS });
  // This document has no layout to scroll.
  Element.prototype.scrollIntoView ??= () => undefined;
  // Nor has it dialogs.
  HTMLDialogElement.prototype.showModal = function showModal() {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
  };
  globalThis.ResizeObserver ??= class {
    observe = () => undefined;
    unobserve = () => undefined;
    disconnect = () => undefined;
  };
  afterEach(() => {
    cleanup();
    localStorage.clear();
    for (const cookie of document.cookie.split('; ')) document.cookie = `${cookie.split('=')[0]}=; max-age=0; path=/`;
  });
}
