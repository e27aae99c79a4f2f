import { describe, expect, test } from 'vitest';
import { capabilityOf } from '@kist/contract/capabilities';
import { NEXT_CHECKIN } from '@kist/contract/agent';
import {
  type AdapterHarness,
  FREE,
  LOCKED,
  type VendorHarness,
  isCarriedBy,
  provenPhone,
  settle,
} from './adapter-suite-harness.ts';
import { refusals, vendorRefusals } from './adapter-suite-refusals.ts';

/** What every adapter must hold, whatever is behind it. */
export function describeAdapter(name: string, harnessOf: () => AdapterHarness): void {
  describe(`adapter ${name}`, () => {
    obeys(harnessOf);
    namesDocuments(harnessOf);
    endsAndRepeats(harnessOf);
    besideAnother(harnessOf);
    refusals(harnessOf);
  });
}

function obeys(harnessOf: () => AdapterHarness): void {
  test('locks and frees, or there is nothing to sell', () => {
    for (const type of ['lock', 'unlock'] as const)
      expect(capabilityOf(type, provenPhone(harnessOf()))).toEqual({ strength: 'enforced' });
  });

  test('a lock and then an unlock reach the phone, and only its own word counts', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    await harness.order(phone, 4);
    await harness.dispatcher.drain();
    expect(await harness.lock(phone)).toMatchObject({ level: 0, desired_level: 4 });
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(LOCKED);
    await harness.order(phone, 0);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(FREE);
    expect(await harness.waiting(phone)).toMatchObject({ nextInMs: null });
  });

  test('an unlock ordered before the lock arrived leaves the phone free', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    await harness.order(phone, 4);
    await harness.dispatcher.drain();
    await harness.order(phone, 0);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(FREE);
  });

  test('an order that it can carry has one result, and one that it cannot fails and says so', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    for (const type of ['sim_info', 'reboot'] as const) {
      const canDo = isCarriedBy(harness, type);
      const commandId = await harness.oneShot(phone, type);
      await settle(harness, phone);
      expect(await harness.stateOf(commandId)).toMatchObject(
        canDo ? { state: 'VERIFIED', results: 1 } : { state: 'FAILED', failCode: 'UNSUPPORTED_ON_DEVICE' },
      );
    }
  });
}

function namesDocuments(harnessOf: () => AdapterHarness): void {
  test('where a word names the document, only ours under the right number is what was asked', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    await harness.order(phone, 4);
    await settle(harness, phone);
    const word = { revision: await harness.revision(phone), level: 4 };
    const [ours, another] = [await harness.digest(phone), '00'.repeat(32)];
    const soon = async (documentDigest?: string) =>
      (await harness.says(phone, { ...word, ...(documentDigest && { documentDigest }) })).next.after_s <
      NEXT_CHECKIN.afterS;
    expect([await soon(), await soon(ours), await soon(another)]).toEqual([false, false, true]);
  });
}

function endsAndRepeats(harnessOf: () => AdapterHarness): void {
  test('a phone that was let go is free at its vendor too', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    await harness.order(phone, 4);
    await settle(harness, phone);
    await harness.release(phone);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(FREE);
    if (harness.vendor) expect(await harness.vendor.isReleased(phone)).toBe(true);
  });

  test('what is carried many times is done once', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    const commandId = await harness.oneShot(phone, 'sim_info');
    for (let time = 0; time < 3; time += 1) {
      await harness.hurry();
      await harness.dispatcher.drain();
    }
    await settle(harness, phone);
    expect(await harness.stateOf(commandId)).toMatchObject({ state: 'VERIFIED', results: 1 });
  });

  test('two dispatchers at once carry everything, and nothing stays behind', async () => {
    const harness = harnessOf();
    const phones = await Promise.all([harness.phone(), harness.phone(), harness.phone()]);
    await Promise.all(phones.map((phone) => harness.order(phone, 4)));
    await Promise.all([harness.dispatcher.drain(), harness.dispatcher.drain()]);
    for (const phone of phones) {
      await settle(harness, phone);
      expect(await harness.lock(phone)).toMatchObject(LOCKED);
      expect(await harness.waiting(phone)).toMatchObject({ nextInMs: null });
    }
  });
}

/** A phone may have several channels; one is in charge of what it is held to. */
function besideAnother(harnessOf: () => AdapterHarness): void {
  test('a channel beside it colours nothing and is told nothing of what the phone shall be', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    const other = await harness.beside(phone);
    await harness.order(phone, 4);
    expect(await harness.waiting(other)).toMatchObject({ nextInMs: null });
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(LOCKED);
    const revision = await harness.revision(phone);
    for (const word of [
      { revision, level: 0 },
      { revision: 0, level: 2 },
      { revision: revision + 5, level: 4 },
    ])
      expect(await harness.says(other, word)).toMatchObject({ desired: null, lease: null });
    expect(await harness.lock(phone)).toMatchObject(LOCKED);
    expect(await harness.revision(phone)).toBe(revision);
    await harness.order(phone, 0);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(FREE);
  });

  test('a question goes to the one in charge where it carries it, else to the one beside it, never to both', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    const other = await harness.beside(phone);
    for (const type of ['sim_info', 'reboot'] as const) {
      const commandId = await harness.oneShot(phone, type);
      await settle(harness, phone);
      const { commands } = await harness.says(other, { revision: 0, level: 0 });
      const ownCan = isCarriedBy(harness, type);
      expect(commands.map(({ id }) => id)).toEqual(ownCan ? [] : [commandId]);
      expect((await harness.stateOf(commandId)).state).toBe(ownCan ? 'VERIFIED' : 'SENT');
    }
  });

  test('when it ends the one beside it takes charge, knows nothing yet and is owed what the phone shall be', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    const other = await harness.beside(phone);
    await harness.order(phone, 4);
    await settle(harness, phone);
    await harness.end(phone);
    expect(await harness.lock(other)).toMatchObject({ level: 0, desired_level: 4, pending: { to: 'locked' } });
    expect((await harness.waiting(other)).nextInMs).toBeLessThanOrEqual(0);
    const { desired } = await harness.says(other, { revision: 0, level: 0 });
    expect(desired?.policy.lock.level).toBe(4);
    await harness.says(other, { revision: desired!.revision, level: 4 });
    expect(await harness.lock(other)).toMatchObject(LOCKED);
  });
}

/** What a vendor's cloud does to us, and what must come of it all the same. */
export function describeVendor(name: string, harnessOf: () => AdapterHarness & { vendor: VendorHarness }): void {
  describe(`the cloud of ${name}`, () => {
    badDays(harnessOf);
    lostWords(harnessOf);
    restarts(harnessOf);
    manyShops(harnessOf);
    vendorRefusals(harnessOf);
  });
}

function badDays(harnessOf: () => AdapterHarness & { vendor: VendorHarness }): void {
  test('while it is down deliveries wait with their reason, and afterwards nothing is lost', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    harness.vendor.setDown(true);
    await harness.order(phone, 4);
    await harness.dispatcher.drain();
    const { nextInMs, why } = await harness.waiting(phone);
    expect(nextInMs).toBeGreaterThan(0);
    expect(why).not.toBeNull();
    harness.vendor.setDown(false);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(LOCKED);
  });

  test('what it refuses for a time waits at least that long', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    harness.vendor.setLimited(true);
    await harness.order(phone, 4);
    await harness.dispatcher.drain();
    expect((await harness.waiting(phone)).nextInMs).toBeGreaterThan(500);
    harness.vendor.setLimited(false);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(LOCKED);
  });

  test('a call whose answer is lost is the same call when it is made again', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    harness.vendor.setDropping(true);
    await harness.order(phone, 4);
    await harness.dispatcher.drain();
    harness.vendor.setDropping(false);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(LOCKED);
    await harness.order(phone, 0);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(FREE);
  });

  test('a phone that it knows no more is over for us, the shop hears of it, and no other is harmed', async () => {
    const harness = harnessOf();
    const [phone, other] = [await harness.phone(), await harness.phone()];
    await harness.vendor.forget(phone);
    await harness.order(phone, 4);
    await harness.order(other, 4);
    await settle(harness, other);
    expect(await harness.lock(other)).toMatchObject(LOCKED);
    await expect.poll(() => harness.hasEnded(phone)).toBe(true);
  });
}

function lostWords(harnessOf: () => AdapterHarness & { vendor: VendorHarness }): void {
  test('words that come twice and in the wrong order end in what is so', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    harness.vendor.setConfused(true);
    for (const level of [4, 0, 4, 0] as const) {
      await harness.order(phone, level);
      await harness.dispatcher.drain();
      await harness.phoneActs(phone);
    }
    harness.vendor.setConfused(false);
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(FREE);
  });

  test('half of a bulk call now and half later: each phone is told once it was told', async () => {
    const harness = harnessOf();
    const phones = [await harness.phone(), await harness.phone()];
    harness.vendor.setPartial(true);
    for (const phone of phones) await harness.order(phone, 4);
    await harness.dispatcher.drain();
    for (const phone of phones) await harness.phoneActs(phone);
    harness.vendor.setPartial(false);
    for (const phone of phones) {
      await settle(harness, phone);
      expect(await harness.lock(phone)).toMatchObject(LOCKED);
    }
  });
}

function restarts(harnessOf: () => AdapterHarness & { vendor: VendorHarness }): void {
  test('a restart between call and word, with the word lost: whoever was not confirmed is asked after', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    await harness.order(phone, 4);
    await harness.dispatcher.drain();
    await harness.vendor.restart();
    await harness.phoneActs(phone);
    await harness.reconcile();
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(LOCKED);
  });

  test('a call that it took and lost is made again: no phone waits for ever to be free', async () => {
    const harness = harnessOf();
    const phone = await harness.phone();
    await harness.order(phone, 4);
    await settle(harness, phone);
    harness.vendor.setPartial(true);
    await harness.order(phone, 0);
    await harness.dispatcher.drain();
    await harness.vendor.restart('calls');
    harness.vendor.setPartial(false);
    await harness.phoneActs(phone);
    expect(await harness.lock(phone)).toMatchObject({ level: 4, desired_level: 0 });
    await harness.reconcile();
    await settle(harness, phone);
    expect(await harness.lock(phone)).toMatchObject(FREE);
  });
}

function manyShops(harnessOf: () => AdapterHarness & { vendor: VendorHarness }): void {
  test('two organisations are told apart by their accounts', async () => {
    const harness = harnessOf();
    const [own, foreign] = [await harness.phone(), await harness.vendor.foreignPhone()];
    await harness.order(own, 4);
    await settle(harness, own);
    expect(await harness.lock(own)).toMatchObject(LOCKED);
    expect(harness.vendor.isLocked(foreign)).toBe(false);
    await harness.order(foreign, 4);
    await settle(harness, foreign);
    expect(harness.vendor.isLocked(foreign)).toBe(true);
  });
}
