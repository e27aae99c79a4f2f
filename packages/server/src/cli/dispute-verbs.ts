import type { DisputeView } from '@kist/contract/disputes';
import { idSchema } from '@kist/contract/fields';
import { LIMITS } from '@kist/contract/limits';
import { SYSTEM } from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import { UsageError } from './command.ts';
import { withLocking } from './with-locking.ts';
import { type Desk, type Given, type Outcome, type Verbs, nounOf, wordsOf } from './verbs.ts';

/** @throws UsageError */
export function idOf(given: Given, word: string): string {
  const id = idSchema.safeParse(given.words[word]);
  if (!id.success) throw new UsageError(`${word} is an id, as the lists print it`);
  return id.data;
}

const said = ({
  dispute_id,
  state,
  instalment_place,
  due_on,
  moves,
}: DisputeView & { agreement_no: string }): string[] => [
  `${dispute_id}  ${state === 'undecided' ? 'DECIDE whether it holds' : 'ANSWER, taken further'}: EMI ${instalment_place ?? '?'} due ${due_on ?? '?'}`,
  // On one line each: a complaint's own line feeds could be read as another entry.
  ...moves.map(({ at, by, text }) => `    ${at.slice(0, 10)}  ${by}: ${text.replaceAll(/\s+/g, ' ')}`),
];

const outcomeOf = (data: { dispute_id: string; state: string }): Outcome => ({
  data,
  lines: [`  ${data.state.padEnd(10)} ${data.dispute_id}`],
});

async function list({ database }: Desk, { orgId }: Given): Promise<Outcome> {
  const data = await database.read(orgId, (tx) => locking.disputesToDecide(tx, SYSTEM(orgId)));
  const lines = data.flatMap((one) => [`agreement ${one.agreement_no}`, ...said(one)]);
  return { data, lines: lines.length > 0 ? lines : ['Nothing waits for the organisation.'] };
}

/** Nothing rises on an agreement while one of these waits. */
export const disputeVerbs: Verbs = {
  list: {
    says: 'what waits for the organisation: disputes taken further, and those it has to decide about',
    takes: ['ORG'],
    example: 'kist dispute list 20',
    run: list,
  },
  decide: {
    says: 'whether a third dispute about the same EMI holds; until then nothing is locked further',
    takes: ['ORG', 'DISPUTE'],
    options: { holds: { type: 'string' }, reason: { type: 'string' } },
    teaches: { holds: 'yes: the shop answers it; no: it stops nothing', reason: 'why, as the customer reads it' },
    example:
      'kist dispute decide 20 01890a5d-ac96-774b-bcce-b302099a8057 --holds no --reason "Every receipt was looked at"',
    run: (desk, given) => {
      const holds = given.need('holds');
      if (holds !== 'yes' && holds !== 'no') throw new UsageError('--holds is yes or no');
      const decision = { disputeId: idOf(given, 'DISPUTE'), holds: holds === 'yes', reason: wordsOf(given, 'reason') };
      return withLocking(desk, async (one) =>
        outcomeOf(
          await desk.database.transaction(given.orgId, (tx) => one.decideDispute(tx, SYSTEM(given.orgId), decision)),
        ),
      );
    },
  },
  answer: {
    says: `answers a dispute that was taken further, for good; the customer is told, and nothing rises for ${LIMITS.disputeAnswerDays} days`,
    takes: ['ORG', 'DISPUTE'],
    options: { reply: { type: 'string' }, upheld: { type: 'boolean' } },
    teaches: {
      reply: 'what was found, as the customer reads it',
      upheld: 'the customer is right: the lock for that EMI comes off, and every hour of it is owed',
    },
    example: 'kist dispute answer 20 01890a5d-ac96-774b-bcce-b302099a8057 --reply "The receipt is not ours"',
    run: (desk, given) => {
      const isUpheld = given.isSet('upheld');
      const answer = { disputeId: idOf(given, 'DISPUTE'), outcome: wordsOf(given, 'reply'), isUpheld };
      return withLocking(desk, async (one) =>
        outcomeOf(
          await desk.database.transaction(given.orgId, (tx) => one.closeDispute(tx, SYSTEM(given.orgId), answer)),
        ),
      );
    },
  },
};

/** What customers dispute, and the organisation's word about it. */
export const disputeCommands = nounOf('dispute', 'complaints that wait for the organisation', disputeVerbs);
