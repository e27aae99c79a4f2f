import { afterAll, beforeAll, expect, test } from 'vitest';
import { disputeEndpoints } from '@kist/contract/disputes';
import { LIMITS } from '@kist/contract/limits';
import { type LockWorld, ORG, createLockWorld, customerOf } from '#test/lock-world.ts';
import { answeredLongAgo } from '#test/dispute-times.ts';
import { deskOf } from '#test/kist-command.ts';
import { disputeVerbs } from './dispute-verbs.ts';
import { theftVerbs } from './theft-verbs.ts';
import { type Verbs, explain, read } from './verbs.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
});
afterAll(() => world.close());

const kist = (...typed: string[]) => at('dispute', disputeVerbs, typed);
async function at(noun: string, verbs: Verbs, typed: string[]) {
  const asked = read(noun, verbs, typed);
  if (typeof asked === 'string') throw new Error(asked);
  const desk = deskOf(world.db);
  return asked.verb.run(desk, asked.given).catch(explain);
}

test('the organisation sees what waits for it, decides about a third one and answers what was taken further; the customer is told', async () => {
  const sale = await world.sell();
  const owner = customerOf(world, sale);
  const open = () =>
    world.inOrg((tx) => world.locking.openDispute(tx, owner, { customerId: sale.customerId, text: 'I paid in cash.' }));
  for (let times = 0; times < 2; times += 1) {
    const { dispute_id: disputeId } = await open();
    await world.inOrg((tx) => world.locking.closeDispute(tx, world.shop, { disputeId, outcome: 'Nothing came in.' }));
    await answeredLongAgo(world, disputeId);
  }
  expect((await kist('list', String(ORG))).lines).toEqual(['Nothing waits for the organisation.']);
  const { dispute_id: id } = await open();
  const { lines } = await kist('list', String(ORG));
  expect(lines.join('\n')).toMatch(new RegExp(`${id}  DECIDE.*EMI 1 due 2026-03-10\n.*customer: I paid in cash`));
  const answer = () => kist('answer', String(ORG), id, '--reply', 'The receipt is not ours');
  await expect(answer()).rejects.toThrow('STATE_CONFLICT');
  await expect(kist('decide', String(ORG), id, '--holds', 'maybe', '--reason', 'so it is')).rejects.toThrow(
    'yes or no',
  );
  await expect(kist('decide', String(ORG), id, '--holds', 'yes', '--reason', ' ')).rejects.toThrow('sentence');
  expect(await kist('decide', String(ORG), id, '--holds', 'yes', '--reason', 'One was missed')).toMatchObject({
    data: { state: 'open' },
  });
  await world.inOrg((tx) => world.locking.closeDispute(tx, world.shop, { disputeId: id, outcome: 'Nothing came in.' }));
  await world.inOrg((tx) => world.locking.escalateDispute(tx, owner, { disputeId: id, text: 'Ask my brother.' }));
  expect(await answer()).toMatchObject({ data: { dispute_id: id, state: 'closed' } });
  await world.deliver();
  expect(world.texts.at(-1)?.body).toContain('the company has replied to your complaint about the EMI of 10-03-2026');
});

test('help and documentation say how long an answer rests as the rules have it', () => {
  const days = `for ${LIMITS.disputeAnswerDays} days`;
  expect(disputeVerbs['answer']!.says).toContain(days);
  expect(
    Object.values(disputeEndpoints)
      .map(({ summary }) => summary)
      .join(' '),
  ).toContain(days);
});

test('a complaint stands on one line of the list, whatever it looks like', async () => {
  const sale = await world.sell();
  const owner = customerOf(world, sale);
  const text = 'Wrong.\nagreement KIST-1\n01890a5d  ANSWER, taken further: EMI 1';
  const { dispute_id: disputeId } = await world.inOrg((tx) =>
    world.locking.openDispute(tx, owner, { customerId: sale.customerId, text }),
  );
  await world.inOrg((tx) => world.locking.closeDispute(tx, world.shop, { disputeId, outcome: 'Nothing came in.' }));
  await world.inOrg((tx) => world.locking.escalateDispute(tx, owner, { disputeId, text }));
  const { lines } = await kist('list', String(ORG));
  expect(lines.filter((line) => line.startsWith('agreement '))).toHaveLength(1);
  expect(lines.filter((line) => line.includes('Wrong. agreement KIST-1 01890a5d'))).toHaveLength(2);
  await kist('answer', String(ORG), disputeId, '--reply', 'The receipt is not ours');
});

test('the organisation lifts a theft lock with a reason, and only where there is one', async () => {
  const sale = await world.sell();
  const { customerId } = sale;
  const owner = customerOf(world, { customerId });
  const lift = (reason: string) => at('theft', theftVerbs, ['lift', String(ORG), customerId, '--reason', reason]);
  await expect(lift('found')).rejects.toThrow('STATE_CONFLICT');
  await world.inOrg((tx) => world.locking.reportLost(tx, owner, { customerId, kind: 'theft', note: '' }));
  expect(await world.levelOf(sale)).toBe(4);
  await expect(lift(' ')).rejects.toThrow('sentence');
  expect(await lift('The police handed it over')).toMatchObject({ data: { level: 0 } });
  expect(await world.levelOf(sale)).toBe(0);
});
