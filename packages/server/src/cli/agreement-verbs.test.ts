import { afterAll, beforeAll, expect, test } from 'vitest';
import { account } from '#server/agreements/agreements.ts';
import { giveKeys, imei } from '#test/factories.ts';
import { deskOf } from '#test/kist-command.ts';
import { type LockWorld, ORG, createLockWorld } from '#test/lock-world.ts';
import { agreementCommands } from './agreement-verbs.ts';
import { explain, read } from './verbs.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-02-11T12:00:00');
});
afterAll(() => world.close());

async function run(verb: string, ...typed: string[]): Promise<unknown> {
  try {
    const asked = read('agreement', agreementCommands['agreement']!.verbs!, [verb, ...typed]);
    if (typeof asked === 'string') return asked;
    const { data, lines } = await asked.verb.run(deskOf(world.db), asked.given).catch(explain);
    expect(lines.length).toBeGreaterThan(0);
    return data;
  } catch (error) {
    return `${(error as Error).name}: ${(error as Error).message}`;
  }
}

const cancel = (...typed: string[]) => run('cancel', ...typed);

test('an agreement is cancelled by its number, with a reason and a yes; without them it is only said what would happen', async () => {
  const { agreement, deviceId } = await world.sell();
  const { agreement_no, total_payable_paise: given_up_paise, down_payment_paise: refund_paise } = agreement;
  const stateNow = async () => (await world.db.read(ORG, (tx) => account(tx, agreement))).agreement.state;
  const said = { agreement_no, given_up_paise, refund_paise, key: 'SPENT' };
  expect(await cancel('20', agreement_no)).toMatchObject(said);
  expect(await cancel('20', agreement_no, '--yes')).toContain('--reason is missing');
  expect(await cancel('20', '20-99999')).toContain('there is no agreement 20-99999');
  expect(await stateNow()).toBe('active');
  const done = await cancel('20', agreement_no, '--reason', 'phone given back', '--yes');
  expect(done).toMatchObject({ ...said, channel: 'ENDS_WHEN_FREE', lock: 'NONE' });
  expect(await stateNow()).toBe('cancelled');
  const [phone] = await world.db.asOwner(
    'select released_at is not null as is_free from devices where device_id = $1',
    [deviceId],
  );
  expect(phone).toEqual({ is_free: true });
  expect(await cancel('20', agreement_no)).toContain('STATE_CONFLICT');
});

test('the phone under an agreement is exchanged by its number; without a yes it is only said, and a number that cannot be one is refused', async () => {
  const { agreement, deviceId } = await world.sell();
  const { agreement_no } = agreement;
  await giveKeys(world.db, world.shop, { planType: agreement.plan_type });
  const phoneNow = async () => (await world.db.read(ORG, (tx) => account(tx, agreement))).agreement.device_id;
  expect(await run('exchange', '20', agreement_no)).toMatchObject({ agreement_no, kind: 'EXCHANGED', key: 'NEW' });
  const typed = ['20', agreement_no, '--brand', 'Vivo', '--model', 'Y28', '--reason', 'display broken', '--yes'];
  expect(await run('exchange', ...typed)).toContain('--imei is missing');
  expect(await run('exchange', ...typed, '--imei', '356938035643808')).toContain('imei1 cannot be right');
  expect(await phoneNow()).toBe(deviceId);
  const done = await run('exchange', ...typed, '--imei', '356938035643809');
  expect(done).toMatchObject({ kind: 'EXCHANGED', channel: 'ENDS_WHEN_FREE', consent: 'ANEW' });
  expect(await phoneNow()).toBe((done as { device_id: string }).device_id);
});

test('a phone that was never set up is let go by its agreement’s number; one under a running agreement stays', async () => {
  const why = ['--reason', 'sold to another shop'];
  const running = await world.sell();
  expect(await run('unclaim', '20', running.agreement.agreement_no, ...why)).toContain('STATE_CONFLICT');
  const { agreement, deviceId } = await world.sell({ isEnrolled: false });
  expect(await run('unclaim', '20', agreement.agreement_no)).toContain('--reason is missing');
  expect(await run('unclaim', '20', agreement.agreement_no, ...why)).toMatchObject({
    device_id: deviceId,
    channel: 'NEVER_OPENED',
    lock: 'NONE',
  });
  expect(await run('unclaim', '20', agreement.agreement_no, ...why)).toContain('STATE_CONFLICT');
});

test.each([
  ['one letter', 'x'],
  ['2,004 letters', 'x'.repeat(2004)],
  ['what nobody sees', '\u202E\u202E\u202E'],
])('a reason of %s is refused, and nothing is done', async (_what, reason) => {
  const { agreement, deviceId } = await world.sell();
  const typed = ['20', agreement.agreement_no, '--reason', reason, '--yes'];
  expect(await cancel(...typed)).toContain('--reason is a sentence');
  const phone = ['--imei', imei(990_001), '--brand', 'Vivo', '--model', 'Y28'];
  expect(await run('exchange', ...typed, ...phone)).toContain('--reason is a sentence');
  const { agreement: now } = await world.db.read(ORG, (tx) => account(tx, agreement));
  expect(now).toMatchObject({ state: 'active', device_id: deviceId });
});

test('of a reason what nobody sees is left out', async () => {
  const { agreement } = await world.sell();
  await cancel('20', agreement.agreement_no, '--reason', 'given \u202Eback', '--yes');
  const [move] = await world.db.asOwner(
    `select reason from agreement_moves where agreement_id = $1 and to_state = 'cancelled'`,
    [agreement.agreement_id],
  );
  expect(move).toEqual({ reason: 'given back' });
});
