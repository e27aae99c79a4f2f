import {
  DISPUTE_BEGINS,
  DISPUTE_PARTIES,
  DISPUTE_STATES,
  DISPUTES,
  type DisputeState,
} from '@kist/contract/dispute-states';
import { beforeEach, expect, it } from 'vitest';
import { newId } from '#server/platform/ids.ts';
import { disputeActs } from '#test/dispute-acts.ts';
import { ORG } from '#test/lock-world.ts';
import { useLockWorld } from '#test/use-lock-world.ts';

/** What the database itself takes of a dispute, whoever writes. */
const world = useLockWorld();
beforeEach(() => world.at('2026-03-05T12:00:00'));

const { open } = disputeActs(() => world);
const moves = (id: string, given: { no: number; from: string; to: string; as: string; reason?: string }) =>
  `insert into dispute_moves (org_id, dispute_id, no, from_state, to_state, moved_as, moved_by, moved_at, reason)
   values (${ORG}, '${id}', ${given.no}, '${given.from}', '${given.to}', '${given.as}', '${world.shop.userId}', '2020-01-01', '${given.reason ?? 'because'}')`;
const set = (id: string, state: string) =>
  `update disputes set state = '${state}', state_since = kist_now() where dispute_id = '${id}'`;
const takes = (...statements: string[]) =>
  world.inOrg(async (tx) => {
    for (const one of statements) await tx.query(one);
  });

it('holds the table of the contract, to the letter', async () => {
  const kept = await world.db.asOwner<{ move: string }>(
    `select from_state || '>' || to_state || ' ' || moved_as as move from dispute_allowed_moves`,
  );
  const begins = Object.entries(DISPUTE_BEGINS).flatMap(([to, by]) => by.map((who) => `>${to} ${who}`));
  const follows = DISPUTE_STATES.flatMap((from) =>
    Object.entries(DISPUTES[from].to).flatMap(([to, by]) => by.map((who) => `${from}>${to} ${who}`)),
  );
  expect(kept.map(({ move }) => move).toSorted()).toEqual([...begins, ...follows].toSorted());
});

it('takes from every state only the moves of the table, each by its party, with a reason, at its own moment', async () => {
  const sale = await world.sell();
  const ways: Record<DisputeState, [DisputeState, string][]> = {
    open: [['open', 'customer']],
    undecided: [['undecided', 'customer']],
    answered: [['open', 'customer'], ['answered', 'shop']],
    escalated: [['open', 'shop'], ['answered', 'shop'], ['escalated', 'customer']],
    closed: [['open', 'shop'], ['answered', 'shop'], ['escalated', 'customer'], ['closed', 'organisation']],
    rejected: [['undecided', 'customer'], ['rejected', 'organisation']],
  }; // prettier-ignore
  let no = 0;
  for (const from of DISPUTE_STATES)
    for (const to of DISPUTE_STATES)
      for (const party of DISPUTE_PARTIES) {
        if (from === to) continue;
        // Each of an instalment of its own, so that one does not keep the other out.
        no = (no % 6) + 1;
        const id = newId();
        await world.db.plant(['disputes'], `update disputes set instalment_no = null where agreement_id = $1`, [
          sale.agreement.agreement_id,
        ]);
        const steps = ways[from];
        await takes(
          `insert into disputes (org_id, dispute_id, agreement_id, instalment_no, text, channel, opened_at, state, state_since)
           values (${ORG}, '${id}', '${sale.agreement.agreement_id}', ${no}, 'x', 'app', kist_now(), '${from}', kist_now())`,
          ...steps.map(([state, as], index) =>
            moves(id, { no: index + 1, from: steps[index - 1]?.[0] ?? '', to: state, as }),
          ),
        );
        const step = moves(id, { no: steps.length + 1, from, to, as: party });
        const isTaken = await takes(set(id, to), step).then(
          () => true,
          () => false,
        );
        expect([from, to, party, isTaken]).toEqual([from, to, party, DISPUTES[from].to[to]?.includes(party) ?? false]);
      }
});

it('refuses a state without its move, a move without its state, other words, another moment, none at all, and an escalation after seven days', async () => {
  const sale = await world.sell();
  const { dispute_id: id } = await open(sale);
  const next = { no: 2, from: 'open', to: 'answered', as: 'shop' };
  await expect(takes(set(id, 'answered'))).rejects.toThrow('its last move led');
  await expect(takes(moves(id, next))).rejects.toThrow('its last move led');
  await expect(takes(set(id, 'answered'), moves(id, { ...next, reason: ' ' }))).rejects.toThrow('check');
  await expect(takes(`update disputes set state_since = state_since - interval '7 days'`)).rejects.toThrow(
    'its last move led',
  );
  await takes(set(id, 'answered'), moves(id, next));
  const [kept] = await world.db.asOwner<{ is_now: boolean }>(
    `select moved_at between '2026-03-05T12:00+05:30' and '2026-03-05T12:01+05:30' as is_now from dispute_moves where dispute_id = $1 and no = 2`,
    [id],
  );
  expect(kept).toEqual({ is_now: true });
  for (const lie of [
    `update dispute_moves set moved_at = moved_at - interval '7 days'`,
    `delete from dispute_moves`,
    `truncate dispute_moves cascade`,
    `update disputes set instalment_no = 2`,
    `insert into dispute_allowed_moves values ('open', 'rejected', 'shop')`,
  ])
    await expect(world.db.asOwner(lie)).rejects.toThrow(/refused/);
  await world.at('2026-03-12T12:01:00');
  const late = { no: 3, from: 'answered', to: 'escalated', as: 'customer' };
  await expect(takes(set(id, 'escalated'), moves(id, late))).rejects.toThrow('does not follow');
});
