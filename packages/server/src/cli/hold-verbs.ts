import { GRANTED_HOLDS } from '@kist/contract/hold-kinds';
import { LIMITS } from '@kist/contract/limits';
import { SYSTEM } from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import { UsageError } from './command.ts';
import { idOf } from './dispute-verbs.ts';
import { customerOf } from './exchange-verb.ts';
import { dayOf } from './policy-verbs.ts';
import { withLocking } from './with-locking.ts';
import { type Given, type Verbs, nounOf, wordsOf } from './verbs.ts';

/** @throws UsageError */
function kindOf(given: Given): (typeof GRANTED_HOLDS)[number] {
  const named = given.need('kind');
  const kind = GRANTED_HOLDS.find((one) => one === named);
  if (!kind) throw new UsageError(`--kind is one of: ${GRANTED_HOLDS.join(', ')}`);
  return kind;
}

/** Time that a customer is given: no level rises meanwhile. */
export const holdVerbs: Verbs = {
  list: {
    says: 'what rests the locks of an agreement today',
    takes: ['ORG', 'AGREEMENT'],
    example: 'kist hold list 20 20-00042',
    async run({ database }, { orgId, words }) {
      const data = await database.read(orgId, async (tx) =>
        locking.holdsOfCustomer(tx, { customer_id: await customerOf(tx, words['AGREEMENT'] ?? '') }),
      );
      const lines = data.map(({ hold_id, kind, until_on }) => `${hold_id}  ${kind} until ${until_on}`);
      return { data, lines: lines.length > 0 ? lines : ['Nothing rests them.'] };
    },
  },
  grant: {
    says: `rests the locks of a running agreement to the end of a day, at most ${LIMITS.holdDays} days from now; what holds the phone stays`,
    takes: ['ORG', 'AGREEMENT'],
    options: { kind: { type: 'string' }, until: { type: 'string' }, reason: { type: 'string' } },
    teaches: { kind: GRANTED_HOLDS.join(', '), until: 'its last day', reason: 'why; it stands in the history' },
    example: 'kist hold grant 20 20-00042 --kind medical --until 2027-01-26 --reason "in hospital, says the shop"',
    run: (desk, given) => {
      const { orgId, words } = given;
      const what = { kind: kindOf(given), untilOn: dayOf(given.need('until')), note: wordsOf(given, 'reason') };
      return withLocking(desk, async (one) => {
        const data = await desk.database.transaction(orgId, async (tx) =>
          one.hold(tx, SYSTEM(orgId), { customerId: await customerOf(tx, words['AGREEMENT'] ?? ''), ...what }),
        );
        return { data, lines: [`  until ${what.untilOn}, ${what.kind}: ${data.hold_id}`] };
      });
    },
  },
  lift: {
    says: 'ends a hold that was granted before its day; locks go on by all their rules',
    takes: ['ORG', 'HOLD'],
    options: { reason: { type: 'string' } },
    teaches: { reason: 'why; it stands in the history' },
    example: 'kist hold lift 20 01890a5d-ac96-774b-bcce-b302099a8057 --reason "the customer is back at work"',
    run: (desk, given) => {
      const told = { holdId: idOf(given, 'HOLD'), note: wordsOf(given, 'reason') };
      return withLocking(desk, async (one) => {
        const data = await desk.database.transaction(given.orgId, (tx) => one.liftHold(tx, SYSTEM(given.orgId), told));
        return { data, lines: [`  lifted ${data.hold_id}`] };
      });
    },
  },
};

export const holdCommands = nounOf('hold', 'time that a customer is given before a lock', holdVerbs);
