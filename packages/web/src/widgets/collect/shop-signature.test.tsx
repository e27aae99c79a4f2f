// @vitest-environment jsdom
import { render, screen, waitFor } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { makeStore } from '#web/state/store.ts';
import { PaperActions } from './paper-actions.tsx';
import { paperPicture } from './paper-picture.ts';
import type { Paper } from './paper.ts';
import { useShopSignature } from './shop-signature.ts';

const PICTURE = 'data:image/png;base64,AAAA';
let userType: string;
let hasSignature: boolean;
const asked: string[] = [];
beforeEach(() => {
  userType = 'miniretailer';
  hasSignature = true;
  asked.length = 0;
  vi.stubGlobal('fetch', async (request: Request) => {
    const { pathname, search } = new URL(request.url);
    const name = pathname.split('/').at(-1)! + search;
    asked.push(name);
    const data = name.startsWith('user_access')
      ? { user_type: userType }
      : name.startsWith('get-details')
        ? { has_signature: hasSignature }
        : { mime: 'image/png', data_url: PICTURE };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

const paper: Paper = { shop: 'Asha Mobiles', no: 'R-1', amount: '₹1,000', lines: [] };
function Given() {
  return <PaperActions paper={{ ...paper, signature: useShopSignature() }} mobile="9800000000" text="" />;
}
const show = () =>
  render(
    <Provider store={makeStore()}>
      <Given />
    </Provider>,
  );
const printed = () => document.querySelector('.printed img');

it('a receipt that the shop prints bears its signature', async () => {
  show();
  await waitFor(() => expect(printed()).toHaveAttribute('src', PICTURE));
  expect(screen.getByText('Asha Mobiles', { selector: 'figcaption' })).toBeInTheDocument();
});

it.each([
  ['a shop that uploaded none', 'retailer', false, ['user_access', 'get-details']],
  ['a customer, who gives out an own receipt', 'customer', true, ['user_access']],
] as const)('of %s nothing stands there, and no picture is asked for', async (_who, type, has, calls) => {
  userType = type;
  hasSignature = has;
  show();
  await waitFor(() => expect(asked).toHaveLength(calls.length));
  await new Promise((done) => setTimeout(done, 50));
  expect(asked).toEqual(calls);
  expect(printed()).toBeNull();
});

it('the picture of a receipt is drawn with the signature at its foot; one that is no picture leaves the receipt as it is', async () => {
  const drawn: unknown[] = [];
  const context = new Proxy({} as Record<string, unknown>, {
    get: (_of, name) =>
      name === 'measureText'
        ? () => ({ width: 1 })
        : (...values: unknown[]) => {
            if (name === 'drawImage') drawn.push(values.slice(1));
          },
    set: () => true,
  });
  const heights: number[] = [];
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation((() => context) as never);
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function give(this: HTMLCanvasElement, done) {
    heights.push(this.height);
    done(new Blob(['x']));
  });
  vi.spyOn(HTMLImageElement.prototype, 'naturalWidth', 'get').mockReturnValue(600);
  vi.spyOn(HTMLImageElement.prototype, 'naturalHeight', 'get').mockReturnValue(200);
  const decode = vi.fn<() => Promise<void>>().mockResolvedValue(undefined);
  HTMLImageElement.prototype.decode = decode;
  expect((await paperPicture({ ...paper, signature: PICTURE }, 'Receipt'))?.name).toBe('R-1.png');
  // Half as large, to fit; at the right margin of 720.
  expect(drawn).toEqual([[364, expect.any(Number), 300, 100]]);
  decode.mockRejectedValue(new Error('no picture'));
  await paperPicture({ ...paper, signature: PICTURE }, 'Receipt');
  await paperPicture(paper, 'Receipt');
  expect(drawn).toHaveLength(1);
  expect(heights[1]).toBe(heights[2]);
  expect(heights[0]).toBeGreaterThan(heights[1]!);
});
