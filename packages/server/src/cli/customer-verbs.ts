import { idSchema } from '@kist/contract/fields';
import type { CustomerData, Erasure } from '@kist/contract/privacy';
import { SYSTEM } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as reports from '#server/reports/reports.ts';
import * as sales from '#server/sales/sales.ts';
import { customerOf } from './exchange-verb.ts';
import { type Given, type Verbs, nounOf, wordsOf } from './verbs.ts';

/** Whom the word means: a customer's own id, or the number of an agreement. @throws UsageError when there is no such agreement */
async function named(tx: Tx, { words }: Given): Promise<{ customer_id: string }> {
  const word = words['CUSTOMER'] ?? '';
  const id = idSchema.safeParse(word);
  return { customer_id: id.success ? id.data : await customerOf(tx, word) };
}

/** How much there is of each, without a word of it. */
const counted = (data: CustomerData): string[] =>
  Object.entries(data).flatMap(([part, rows]) =>
    Array.isArray(rows) && rows.length > 0 ? [`${String(rows.length).padStart(6)}  ${part}`] : [],
  );

const kept = ({ evidence_until, books_until }: Erasure): string[] => [
  `  books and messages stay, without a name; the law asks for the books until ${books_until}`,
  `  the signature and the number in the proof of consent go after ${evidence_until}`,
];

/** The erasure as it stands, for a person. */
function standing(data: Erasure): string[] {
  if (data.erased_at !== null) return [`  erased on ${data.erased_at.slice(0, 10)}`, ...kept(data)];
  if (data.refused === 'DRAFT')
    return [
      '  a draft: it is deleted whole, and a key set aside for it comes back',
      '  Nothing is done yet: say --yes.',
    ];
  if (data.refused !== null) return [`  cannot be erased now: ${data.refused}`];
  return ['  can be erased for good', ...kept(data), '  Nothing is done yet: say --yes.'];
}

const customerVerbs: Verbs = {
  data: {
    says: 'all that is kept of a customer, who may ask for it: --json prints it, without it only how much there is (CUSTOMER: an id, or the number of an agreement)',
    takes: ['ORG', 'CUSTOMER'],
    example: 'kist customer data 20 20-00042 --json > asked-for.json',
    async run({ database }, given) {
      const data = await database.read(given.orgId, async (tx) =>
        reports.customerData(tx, SYSTEM(given.orgId), await named(tx, given)),
      );
      return { data, lines: [...counted(data), 'All of it: --json.'] };
    },
  },
  erase: {
    says: 'takes name, numbers, address, pictures, places and login off a customer for good, and says what the law keeps; a sale that was only begun goes whole; refused while an agreement runs (CUSTOMER: an id, or the number of an agreement)',
    takes: ['ORG', 'CUSTOMER'],
    options: { reason: { type: 'string' }, yes: { type: 'boolean' } },
    teaches: {
      reason: 'why; it stands in the history for good, so it names nobody',
      yes: 'do it; without, it only says what would happen',
    },
    example: 'kist customer erase 20 20-00042 --reason "asked by letter of 3 March" --yes',
    async run({ database }, given) {
      const actor = SYSTEM(given.orgId);
      if (!given.isSet('yes')) {
        const data = await database.read(given.orgId, async (tx) =>
          sales.previewErasure(tx, actor, await named(tx, given)),
        );
        return { data, lines: standing(data) };
      }
      const reason = wordsOf(given, 'reason');
      return database.transaction(given.orgId, async (tx) => {
        const who = await named(tx, given);
        if ((await sales.previewErasure(tx, actor, who)).refused === 'DRAFT') {
          const data = { ...who, ...(await sales.eraseDraft(tx, actor, { ...who, reason })) };
          return { data, lines: [`  the draft is deleted, keys returned: ${data.keys_returned}`] };
        }
        const data = await sales.eraseCustomer(tx, actor, { ...who, reason });
        return { data, lines: standing(data) };
      });
    },
  },
};

/** What a customer may ask of whoever runs the installation. */
export const customerCommands = nounOf('customer', 'what a customer may ask for', customerVerbs);
