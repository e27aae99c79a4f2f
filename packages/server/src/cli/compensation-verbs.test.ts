import { expect, test } from 'vitest';
import { deskOf } from '#test/kist-command.ts';
import { ORG } from '#test/lock-world.ts';
import { paidLate } from '#test/paid-late.ts';
import { useLockWorld } from '#test/use-lock-world.ts';
import { compensationVerbs } from './compensation-verbs.ts';
import { explain, read } from './verbs.ts';

const world = useLockWorld();

async function kist(verb: string, ...typed: string[]) {
  const asked = read('compensation', compensationVerbs, [verb, String(ORG), ...typed]);
  if (typeof asked === 'string') throw new Error(asked);
  return asked.verb.run(deskOf(world.db), asked.given).catch(explain);
}

test('what is owed is listed, and paid out up to what is left', async () => {
  expect((await kist('list')).lines).toEqual(['Nothing is owed for a lock.']);
  const { agreement } = await paidLate(world);
  const { agreement_id: id, agreement_no } = agreement;
  expect((await kist('list')).lines).toEqual([`${id}  ${agreement_no}  Sunita Mobile  owed ₹500  paid ₹0  left ₹500`]);
  for (const [amount, method, why] of [
    ['0', 'UPI', '--amount is rupees'],
    ['1.005', 'UPI', '--amount is rupees'],
    ['200', 'GOLD', '--method is one of CASH, UPI, OTHER'],
  ] as const)
    await expect(kist('paid', id, '--amount', amount, '--method', method)).rejects.toThrow(why);
  await expect(kist('paid', id, '--amount', '200', '--method', 'CASH')).rejects.toThrow('--reference is missing');
  await expect(kist('paid', id, '--amount', '200', '--method', 'CASH', '--reference', ' ')).rejects.toThrow(
    '--reference is the number',
  );
  const paid = (amount: string, method: string, reference: string) =>
    kist('paid', id, '--amount', amount, '--method', method, '--reference', reference);
  expect((await paid('200', 'UPI', '4123')).lines).toEqual(['  paid ₹200, left ₹300']);
  expect((await paid('200', 'UPI', '4123')).lines).toEqual(['  paid before ₹200, left ₹300']);
  await expect(paid('300', 'UPI', '4123')).rejects.toThrow('REFERENCE_USED');
  await expect(paid('300.01', 'CASH', 'C-1')).rejects.toThrow('AMOUNT_TOO_LARGE');
  await paid('300', 'CASH', 'C-1');
  expect((await paid('300', 'CASH', 'c-1')).lines).toEqual(['  paid before ₹300, left ₹0']);
  await expect(paid('1', 'CASH', 'C-2')).rejects.toThrow('ALREADY_PAID');
});
