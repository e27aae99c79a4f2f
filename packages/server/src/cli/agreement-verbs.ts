import { formatInr } from '@kist/contract/money-text';
import * as identity from '#server/identity/identity.ts';
import * as sales from '#server/sales/sales.ts';
import { withLocking } from './with-locking.ts';
import { PHONE, customerOf, exchangeVerb } from './exchange-verb.ts';
import { type Verbs, nounOf, wordsOf } from './verbs.ts';

const money = ({ given_up_paise, refund_paise, refunds }: sales.Cancellation): string[] => [
  `  ${formatInr(given_up_paise).padStart(14)}  still owed: taken back`,
  `  ${formatInr(refund_paise).padStart(14)}  paid: owed back, in ${refunds} refund${refunds === 1 ? '' : 's'} to give`,
];
const KEY = { RETURNED: 'back in the wallet', SPENT: 'spent: it stays spent', NONE: 'none' } as const;

const agreementVerbs: Verbs = {
  cancel: {
    says: 'ends a running agreement for good: what is owed is taken back, what was paid is owed back, its phone is let go',
    takes: ['ORG', 'AGREEMENT'],
    options: { reason: { type: 'string' }, yes: { type: 'boolean' } },
    teaches: { reason: 'why, as the customer may read it', yes: 'do it; without, it only says what would happen' },
    example: 'kist agreement cancel 20 20-00042 --reason "phone given back unopened"',
    async run({ database }, given) {
      const { orgId, words } = given;
      const actor = identity.SYSTEM(orgId);
      const agreement_no = words['AGREEMENT'] ?? '';
      if (!given.isSet('yes')) {
        const data = await database.read(orgId, async (tx) =>
          sales.previewCancellation(tx, actor, { customer_id: await customerOf(tx, agreement_no) }),
        );
        return { data, lines: [...money(data), `  key ${KEY[data.key]}`, '  Nothing is done yet: say --yes.'] };
      }
      const reason = wordsOf(given, 'reason');
      const data = await withLocking({ database }, (locking) =>
        database.transaction(orgId, async (tx) =>
          sales.cancelAgreement(
            tx,
            actor,
            { customer_id: await customerOf(tx, agreement_no), reason },
            locking.letGoOfCancelled,
          ),
        ),
      );
      return { data, lines: [...money(data), `  key ${KEY[data.key]}`, `  phone ${PHONE[data.channel]}`] };
    },
  },
  exchange: exchangeVerb,
  unclaim: {
    says: 'lets the phone go of an agreement that is over, or one that was never set up: everything off it, its numbers free for another agreement',
    takes: ['ORG', 'AGREEMENT'],
    options: { reason: { type: 'string' } },
    teaches: { reason: 'why; it stands in the phone’s history' },
    example: 'kist agreement unclaim 20 20-00042 --reason "sold to another shop before it was set up"',
    async run({ database }, given) {
      const { orgId, words } = given;
      const note = wordsOf(given, 'reason');
      const data = await withLocking({ database }, (locking) =>
        database.transaction(orgId, async (tx) =>
          locking.unclaim(tx, identity.SYSTEM(orgId), {
            customerId: await customerOf(tx, words['AGREEMENT'] ?? ''),
            note,
          }),
        ),
      );
      const lock = data.lock === 'LIFTED' ? 'what held it comes off first' : 'nothing held it';
      return {
        data,
        lines: [`  phone ${PHONE[data.channel]}; ${lock}`, `  keys back in the wallet ${data.keys_returned}`],
      };
    },
  },
};

/** Agreements that run. */
export const agreementCommands = nounOf('agreement', 'agreements that run', agreementVerbs);
