import { expect, test } from 'vitest';
import { type AdapterHarness, FREE, LOCKED, type VendorHarness, settle } from './adapter-suite-harness.ts';

/** More tries than any adapter takes for a mistake of the vendor's that is soon put right. */
const MANY_TRIES = 12;
/** What gives back is tried again within so long, whatever the vendor named. */
const MINUTE_MS = 60_000;

/** What is refused, of any adapter. */
export function refusals(harnessOf: () => AdapterHarness): void {
  test('an order that is refused for good ends with the word it was refused with, and what follows is carried', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    const commandId = await harness.refused(phone);
    await settle(harness, phone);
    const order = await harness.stateOf(commandId);
    expect(order).toMatchObject({ state: 'FAILED', failCode: expect.stringMatching(/^[A-Z_]+$/) });
    await harness.order(phone, 4);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(LOCKED);
    expect(await harness.stateOf(commandId)).toEqual(order);
    expect(await harness.waiting(phone)).toMatchObject({ nextInMs: null });
  });

  test('a day without room holds up no unlock for longer than a minute; where nothing is counted nothing waits', async () => {
    const harness = harnessOf();
    const [held, free] = [await harness.phone(), await harness.phone()];
    await harness.order(held, 4);
    await settle(harness, held);
    harness.vendor?.setFull(true);
    await harness.order(held, 0);
    await harness.order(free, 4);
    await harness.dispatcher.drain();
    const unlock = await harness.waiting(held);
    const lock = await harness.waiting(free);
    expect([unlock.nextInMs !== null, lock.nextInMs !== null]).toEqual(harness.vendor ? [true, true] : [false, false]);
    expect(unlock.nextInMs ?? 0).toBeLessThanOrEqual(MINUTE_MS);
    if (harness.vendor) expect(lock.nextInMs).toBeGreaterThan(unlock.nextInMs ?? 0);
    harness.vendor?.setFull(false);
    for (const phone of [held, free]) await settle(harness, phone);
    expect(await harness.lock(held)).toMatchObject(FREE);
    expect(await harness.lock(free)).toMatchObject(LOCKED);
  });
}

/** What a vendor's cloud refuses as a whole. */
export function vendorRefusals(harnessOf: () => AdapterHarness & { vendor: VendorHarness }): void {
  const tryOn = async ({ hurry, dispatcher }: AdapterHarness): Promise<void> => {
    for (let time = 0; time < MANY_TRIES; time += 1) {
      await hurry();
      await dispatcher.drain();
    }
  };

  test('a lock that it will never take fails and waits no more; it goes out anew when it is asked for anew', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    harness.vendor.setRefusing(true);
    await harness.order(phone, 4);
    await tryOn(harness);
    expect(await harness.lastOrder(phone)).toEqual({ state: 'FAILED', failCode: 'INVALID_REQUEST' });
    expect(await harness.waiting(phone)).toMatchObject({ nextInMs: null, why: 'INVALID_REQUEST' });
    harness.vendor.setRefusing(false);
    await harness.order(phone, 4);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(LOCKED);
  });

  test('an unlock that it will not take fails for all to see, and is tried on: nobody stays locked for it', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    await harness.order(phone, 4);
    await settle(harness, phone);
    harness.vendor.setRefusing(true);
    await harness.order(phone, 0);
    await tryOn(harness);
    expect(await harness.lastOrder(phone)).toEqual({ state: 'FAILED', failCode: 'INVALID_REQUEST' });
    const { nextInMs } = await harness.waiting(phone);
    expect(nextInMs).not.toBeNull();
    expect(nextInMs).toBeLessThanOrEqual(MINUTE_MS);
    harness.vendor.setRefusing(false);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(FREE);
  });
}
