import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import * as audit from '#server/audit/audit.ts';
import { type LockWorld, type Sale, createLockWorld } from '#test/lock-world.ts';
import { madeCode, usedCode } from '#test/whole-consent.ts';

/** What the account that serves cannot invent of a customer: every write here is one it has the right to. */
let world: LockWorld;
let sale: Sale;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-02-11T12:00:00');
});
afterAll(() => world.close());
beforeEach(async () => {
  sale = await world.sell();
});

const ABOUT = Buffer.from([7]);
const MADE_UP = '00000000-0000-4000-8000-000000000001';
type Purpose = Parameters<typeof usedCode>[2]['purpose'];

/** A word by a code, named as `otp` says. */
const confirm = (otp: string, mobile = '+919812345214') =>
  [
    `insert into consent_confirmations (org_id, confirmation_id, customer_id, mobile, text_version, text_hash, language, otp_id, confirmed_at, confirmed_by)
     values (kist_org(), gen_random_uuid(), $1, $2, '9', $3, 'en', $4, kist_now(), $5)`,
    [sale.customerId, mobile, ABOUT, otp, world.shop.userId],
  ] as const;
const stolen = (otp: string | null, by = 'customer_code') =>
  [
    `insert into protection_reports (org_id, report_id, device_id, kind, reported_by, actor_user_id, note, code_mobile, code_otp_id, reported_at)
     values (kist_org(), gen_random_uuid(), $1, 'theft', $2, $3, '', case $2 when 'customer_code' then '+919812345214' end, $4, kist_now())`,
    [sale.deviceId, by, world.shop.userId, otp],
  ] as const;
const there = (otp: string | null, as = 'customer_code') =>
  [
    `update protection_reports set closed_at = kist_now(), closed_as = $2, closed_by = $3, closed_reason = 'x', closed_otp_id = $4
     where device_id = $1 and closed_at is null`,
    [sale.deviceId, as, world.shop.userId, otp],
  ] as const;
const write = ([text, values]: readonly [string, readonly unknown[]]) =>
  world.inOrg((tx) => tx.query(text, [...values]));
/** The same in the transaction that uses a code up. */
const withCode = (purpose: Purpose, make: (otp: string) => readonly [string, readonly unknown[]], of = sale) =>
  world.inOrg(async (tx) => {
    const about = purpose === 'CONSENT' ? ABOUT : null;
    const [text, values] = make(await usedCode(tx, world.db, { customerId: of.customerId, purpose, about }));
    await tx.query(text, [...values]);
  });
const REFUSED = 'no code of this customer was used for it';

describe('a customer’s word by a code is refused', () => {
  it('without one, and with one that was used before, for something else, for another deal, for somebody else or from another number', async () => {
    const used = await world.inOrg((tx) =>
      usedCode(tx, world.db, { customerId: sale.customerId, purpose: 'CONSENT', about: ABOUT }),
    );
    for (const otp of [MADE_UP, used]) await expect(write(confirm(otp))).rejects.toThrow(REFUSED);
    await expect(withCode('THEFT_REPORT', confirm)).rejects.toThrow(REFUSED);
    await expect(withCode('CONSENT', confirm, await world.sell())).rejects.toThrow(REFUSED);
    await expect(withCode('CONSENT', (otp) => confirm(otp, '+919812345215'))).rejects.toThrow(REFUSED);
    const dealt = (otp: string) => {
      const [text, values] = confirm(otp);
      const named = text.replace('otp_id,', 'otp_id, deal_hash,').replace('$4,', `$4, sha256('another deal'),`);
      return [named, values] as const;
    };
    await expect(withCode('CONSENT', dealt)).rejects.toThrow(REFUSED);
    await withCode('CONSENT', confirm);
  });

  it('of a theft and of its end alike, and without a line that tells of it', async () => {
    for (const otp of [null, MADE_UP]) await expect(write(stolen(otp))).rejects.toThrow(REFUSED);
    await expect(withCode('THEFT_LIFT', stolen)).rejects.toThrow(REFUSED);
    await expect(withCode('THEFT_REPORT', stolen)).rejects.toThrow('no line of the phone’s history tells of it');
    await expect(write(stolen(null, 'customer'))).rejects.toThrow('no line of the phone’s history tells of it');
    await world.inOrg(async (tx) => {
      await tx.query(stolen(null, 'customer')[0], [...stolen(null, 'customer')[1]]);
      const data = { kind: 'theft', by: 'customer' };
      await audit.append(tx, { kind: 'device', id: sale.deviceId, actor: world.shop, action: 'lost_reported', data });
    });
    await expect(write(there(MADE_UP))).rejects.toThrow(REFUSED);
    await expect(withCode('THEFT_REPORT', there)).rejects.toThrow(REFUSED);
    for (const as of ['customer', 'organisation'])
      await expect(write(there(null, as))).rejects.toThrow('no line of the phone’s history tells of it');
  });
});

describe('a word', () => {
  it('is written when it is said: none is dated back to a line that told of another', async () => {
    const tell = (action: string, data: Record<string, string>) => (tx: Parameters<typeof audit.append>[0]) =>
      audit.append(tx, { kind: 'device', id: sale.deviceId, actor: world.shop, action, data });
    await world.inOrg(async (tx) => {
      await tx.query(stolen(null, 'customer')[0], [...stolen(null, 'customer')[1]]);
      await tell('lost_reported', { kind: 'theft', by: 'customer' })(tx);
    });
    await world.inOrg(async (tx) => {
      await tx.query(there(null, 'customer')[0], [...there(null, 'customer')[1]]);
      await tell('theft_lifted', { as: 'customer' })(tx);
    });
    const dated = (ago: string) => {
      const [text, values] = stolen(null, 'customer');
      return world.inOrg((tx) => tx.query(text.replace('kist_now())', `kist_now() - interval '${ago}')`), [...values]));
    };
    await expect(dated('2 minutes')).rejects.toThrow('it is not said now');
    const later = (otp: string) => {
      const [text, values] = confirm(otp);
      return [text.replace('kist_now()', `kist_now() - interval '1 day'`), values] as const;
    };
    await expect(withCode('CONSENT', later)).rejects.toThrow('it is not said now');
  });
});

describe('a code', () => {
  it('is not used by whoever makes it in one go', async () => {
    const code = { customerId: sale.customerId, purpose: 'THEFT_LIFT' as const, about: null };
    await expect(
      world.inOrg(async (tx) => {
        const otp = await madeCode((text, values) => tx.query(text, values), tx.orgId!, code);
        await tx.query('update otps set consumed_at = now() where otp_id = $1', [otp]);
      }),
    ).rejects.toThrow('nobody was told it yet');
  });

  it('is neither used when it is made, nor twice, nor after its time, nor about something else later', async () => {
    const insert = (used: string) =>
      `insert into otps (org_id, otp_id, mobile_hash, lane, asker, purpose, code_hash, created_at, expires_at, consumed_at)
       values (kist_org(), '${MADE_UP}', '', 'counter', '', 'LOGIN', '', now(), now(), ${used})`;
    const run = (text: string) => world.inOrg((tx) => tx.query(text));
    await expect(run(insert('now()'))).rejects.toThrow('nobody was told it yet');
    await run(insert('null'));
    await expect(run(`update otps set consumed_at = now() where otp_id = '${MADE_UP}'`)).rejects.toThrow(
      'its time is over',
    );
    for (const change of [`expires_at = now() + interval '1 day'`, `purpose = 'CONSENT'`, 'used_txid = null'])
      await expect(run(`update otps set ${change} where otp_id = '${MADE_UP}'`)).rejects.toThrow('permission denied');
    const used = await world.inOrg((tx) =>
      usedCode(tx, world.db, { customerId: sale.customerId, purpose: 'THEFT_LIFT', about: null }),
    );
    for (const again of ['null', `now() + interval '1 s'`])
      await expect(run(`update otps set consumed_at = ${again} where otp_id = '${used}'`)).rejects.toThrow(
        'it was used',
      );
  });
});
