import { beforeEach, describe, expect, it } from 'vitest';
import { ofCustomer } from '#server/agreements/agreements.ts';
import type { Actor } from '#server/identity/identity.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeRetailer, setClock } from '#test/factories.ts';
import { ORG, type Sold, useHouse } from '#test/house.ts';
import { violations } from './invariants.ts';

/** The one try-out of the lock that a sale has, in the whole house: registered, enrolled and enrolled again as shops and phones do it. */
const db = await createTestDatabase();
const house = useHouse(db);
let shop: Actor;
let sold: Sold;
const at = (ist: string): Promise<void> => setClock(db, ist);
let deviceId: string;
beforeEach(async () => {
  await at('2026-03-05T12:00:00');
  shop = await makeRetailer(db, ORG);
  await house.give(shop, 2);
  sold = await house.sell(shop);
  deviceId = await enrols();
});

/** A fresh code of the shop's, scanned by the phone as it comes out of a reset. */
async function enrols(): Promise<string> {
  const phone = house.phone(sold);
  const code = await house.codeFor(shop, sold);
  const serial = `S${sold.imei}`;
  let answer = await phone.enrol(code, { serial });
  if (answer.body.code === 'STALE_REQUEST') {
    // As phones do: what the server says of the time, and once more.
    const { call } = phone;
    const created = Math.floor(Date.parse(answer.body.details.server_time) / 1000);
    phone.call = (path, body, options) => call(path, body, { created, ...options });
    answer = await phone.enrol(code, { serial });
  }
  await house.services.plane.whenQuiet();
  expect(answer.status).toBe(200);
  return answer.body.device_id;
}
async function tried(): Promise<string> {
  const reason = 'ENROLMENT_TEST';
  const outcome = await house.inOrg((tx) => house.services.locking.requestLock(tx, shop, sold.customerId, { reason }));
  return 'refused' in outcome ? outcome.refused.rule : `until ${outcome.verdict.expires_at?.slice(0, 16)}`;
}
async function levelOf(): Promise<number> {
  const [row] = await db.asOwner<{ level: number }>(
    'select lock_level as level from device_desired where device_id = $1',
    [deviceId],
  );
  return row!.level;
}
/** The end that stands in the signed document. */
async function endOf(): Promise<string | null> {
  const [row] = await db.asOwner<{ end: string | null }>(
    `select document #>> '{lock,until}' as end from device_desired where device_id = $1`,
    [deviceId],
  );
  return row!.end?.slice(0, 16) ?? null;
}
const ladder = () => house.services.locking.runLadder(db, ORG);
async function pays(amount?: number): Promise<void> {
  const [due] = await db.asOwner<{ id: string; paise: number }>(
    `select instalment_id as id, (principal_paise + interest_paise)::int as paise from instalments
     where paid_on is null and agreement_id = (select agreement_id from agreements where device_id = $1) order by no limit 1`,
    [deviceId],
  );
  await house.inOrg((tx) =>
    house.services.payments.record(tx, shop, {
      instalment_id: due!.id,
      amount: amount ?? due!.paise,
      method: 'CASH',
      reference: '',
    }),
  );
}
const nothingWrong = async () => expect(await db.read(ORG, violations)).toEqual([]);

describe('a test lock', () => {
  it('lasts 15 minutes and is the only one of its sale, also when the phone enrols again', async () => {
    expect(await tried()).toBe('until 2026-03-05T06:45');
    expect(await levelOf()).toBe(4);
    expect(await endOf()).toBe('2026-03-05T06:45');
    await at('2026-03-05T12:14:00');
    await ladder();
    expect(await levelOf()).toBe(0);
    expect(await endOf()).toBeNull();
    expect(await tried()).toBe('TEST_USED');
    await enrols();
    expect(await tried()).toBe('TEST_USED');
    await nothingWrong();
  });

  it('is not possible again after the window because the phone enrolled again, though it was never used', async () => {
    await at('2026-03-12T12:00:00');
    expect(await tried()).toBe('TEST_WINDOW_OVER');
    await pays();
    await enrols();
    expect(await tried()).toBe('TEST_WINDOW_OVER');
    expect(await levelOf()).toBe(0);
    await nothingWrong();
  });

  it('goes on over a new enrolment with the end it had', async () => {
    await tried();
    await at('2026-03-05T12:05:00');
    await enrols();
    expect(await levelOf()).toBe(4);
    expect(await tried()).toBe('until 2026-03-05T06:45');
    expect(await endOf()).toBe('2026-03-05T06:45');
    await at('2026-03-05T12:20:00');
    await enrols();
    expect(await levelOf()).toBe(0);
  });

  it('is for nobody who is late or in a dispute', async () => {
    await house.inOrg((tx) =>
      house.services.locking.openDispute(tx, shop, { customerId: sold.customerId, text: 'Not mine.' }),
    );
    expect(await tried()).toBe('DISPUTE_OPEN');
    sold = await house.sell(shop);
    await at('2026-04-10T12:00:00');
    deviceId = await enrols();
    expect(await tried()).toBe('TEST_OVERDUE');
    await nothingWrong();
  });
});

describe('a test lock ends', () => {
  it.each<[string, () => Promise<unknown>]>([
    ['with a part payment', () => pays(100_00)],
    ['with a whole instalment', () => pays()],
    [
      'with a dispute',
      () =>
        house.inOrg((tx) => house.services.locking.openDispute(tx, shop, { customerId: sold.customerId, text: 'No.' })),
    ],
    [
      'with an unlock by the shop',
      () =>
        house.inOrg((tx) => house.services.locking.requestUnlock(tx, shop, sold.customerId, { reason: 'EMI_OVERDUE' })),
    ],
  ])('%s, at once', async (_what, does) => {
    await tried();
    expect(await levelOf()).toBe(4);
    await does();
    expect(await levelOf()).toBe(0);
    await nothingWrong();
  });

  it('with the last payment, and the phone is let go', async () => {
    await tried();
    for (let no = 1; no <= 12; no += 1) await pays();
    const agreement = await db.read(ORG, (tx) => ofCustomer(tx, { customer_id: sold.customerId }));
    expect(agreement?.state).toBe('completed');
    const [row] = await db.asOwner(
      "select lock_level as level, document -> 'released' as released from device_desired where device_id = $1",
      [deviceId],
    );
    expect(row).toEqual({ level: 0, released: true });
    await nothingWrong();
  });

  it('at midnight when the instalment is late with it', async () => {
    await tried();
    await db.plant(['agreements'], `update agreements set oldest_due_on = '2026-03-04' where device_id = $1`, [
      deviceId,
    ]);
    await ladder();
    expect(await levelOf()).toBeLessThan(3);
    await db.plant(['agreements'], `update agreements set oldest_due_on = '2026-04-05' where device_id = $1`, [
      deviceId,
    ]);
  });
});
