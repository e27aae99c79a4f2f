import { afterEach, expect, it, vi } from 'vitest';
import { placeOfPincode } from './pincode.ts';

const files = import.meta.glob<string>('../../../public/pincodes/*.txt', {
  query: '?raw',
  import: 'default',
  eager: true,
});
const asked: string[] = [];
afterEach(() => {
  asked.length = 0;
  vi.unstubAllGlobals();
});
/** The files as they are served. */
const serve = () =>
  vi.stubGlobal('fetch', async (path: string) => {
    asked.push(path);
    return new Response(files[`../../../public${path}`]);
  });

it('knows district and state of a PIN code, and asks for nothing before it is whole', async () => {
  serve();
  expect(await placeOfPincode('422001')).toEqual({ city: 'Nashik', state: 'Maharashtra' });
  expect(await placeOfPincode('110001')).toEqual({ city: 'Central Delhi', state: 'Delhi' });
  expect(await placeOfPincode('429999')).toBeUndefined();
  expect(asked).toEqual(['/pincodes/42.txt', '/pincodes/11.txt', '/pincodes/42.txt']);
  for (const part of ['', '4220', '012345']) expect(await placeOfPincode(part)).toBeUndefined();
  expect(asked).toHaveLength(3);
});

it('without a network the place is typed', async () => {
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('offline')));
  expect(await placeOfPincode('422001')).toBeUndefined();
});
