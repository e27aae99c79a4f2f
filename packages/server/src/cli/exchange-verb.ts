import type { z } from 'zod';
import { deviceInSchema } from '@kist/contract/customers';
import type { ExchangePreview } from '@kist/contract/exchanging';
import * as agreements from '#server/agreements/agreements.ts';
import { createWaker } from '#server/commands/wake.ts';
import * as identity from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import type { Tx } from '#server/platform/database.ts';
import * as sales from '#server/sales/sales.ts';
import { UsageError } from './command.ts';
import { type Given, type Verb, wordsOf } from './verbs.ts';

/** Whose agreement it is. @throws UsageError when there is none of this number */
export async function customerOf(tx: Tx, agreement_no: string): Promise<string> {
  const customer = await agreements.customerOfNumber(tx, { agreement_no });
  if (customer === undefined) throw new UsageError(`there is no agreement ${agreement_no}`);
  return customer;
}

/** What becomes of a phone that goes, in words. */
export const PHONE = {
  NEVER_OPENED: 'was never set up; its set-up code is dead',
  ENDS_WHEN_FREE: 'is told to be free; it is let go as soon as it says so',
  NONE: 'none, or let go before',
} as const;

const EXCHANGE = {
  CORRECTED: 'no phone was set up yet: its number is put right, its set-up code is dead',
  EXCHANGED: 'another phone comes in its place, free, with a set-up code of its own',
  KEPT: 'the one that is set aside serves',
  SAME_MODEL: 'stays where brand and model do; for another model it is asked for anew',
  NEW: 'another one is set aside; what was spent stays spent',
  ANEW: 'signature and code are asked for anew; until then no debt holds the phone',
  HELD_FOR_OWNER: 'It is held for its owner, or its owner misses it: that ends first.',
} as const;
const exchangeLines = ({ kind, channel, key, keys_left, consent }: Omit<ExchangePreview, 'refused'>): string[] => [
  `  ${EXCHANGE[kind]}`,
  `  phone that goes ${PHONE[channel]}`,
  `  key ${EXCHANGE[key]} (${keys_left} left)`,
  ...(consent === 'ANEW' ? [`  consent ${EXCHANGE.ANEW}`] : []),
];

/** @throws UsageError when what was given is no phone */
function phoneGiven(given: Given): z.output<typeof deviceInSchema> {
  const text = (name: string) => given.text(name);
  const read = deviceInSchema.safeParse({
    imei1: given.need('imei'),
    imei2: text('imei2'),
    serial: text('serial'),
    brand: given.need('brand'),
    model: given.need('model'),
  });
  if (read.success) return read.data;
  throw new UsageError(`the phone's ${read.error.issues.map(({ path }) => path.join('.')).join(', ')} cannot be right`);
}

/** `kist agreement exchange`: IMEI_EDIT for whoever runs the installation. */
export const exchangeVerb: Verb = {
  says: 'changes the phone under a running agreement: puts a wrong IMEI right, or lets the phone go and waits for another one',
  takes: ['ORG', 'AGREEMENT'],
  options: {
    imei: { type: 'string' },
    imei2: { type: 'string' },
    serial: { type: 'string' },
    brand: { type: 'string' },
    model: { type: 'string' },
    reason: { type: 'string' },
    yes: { type: 'boolean' },
  },
  teaches: {
    imei: 'of the phone that comes',
    imei2: 'its second one',
    serial: 'its serial number',
    brand: 'its brand',
    model: 'its model',
    reason: 'why, as the customer may read it',
    yes: 'do it; without, it only says what would happen',
  },
  example:
    'kist agreement exchange 20 20-00042 --imei 356938035643809 --brand Redmi --model "13C" --reason "display broken"',
  async run({ database }, given) {
    const { orgId, words } = given;
    const actor = identity.SYSTEM(orgId);
    const agreement_no = words['AGREEMENT'] ?? '';
    if (!given.isSet('yes')) {
      const data = await database.read(orgId, async (tx) =>
        sales.previewExchange(tx, actor, { customer_id: await customerOf(tx, agreement_no) }),
      );
      const last = data.refused ? EXCHANGE.HELD_FOR_OWNER : 'Nothing is done yet: say --yes.';
      const kept = data.consent === 'KEPT' ? [`  consent ${EXCHANGE.SAME_MODEL}`] : [];
      return { data, lines: [...exchangeLines(data), ...kept, `  ${last}`] };
    }
    const device = phoneGiven(given);
    const reason = wordsOf(given, 'reason');
    const waker = createWaker(database, () => undefined);
    try {
      const data = await database.transaction(orgId, async (tx) =>
        sales.exchangePhone(
          tx,
          actor,
          { customer_id: await customerOf(tx, agreement_no), device, reason },
          (of, by, letGo) => locking.letGoOfExchanged(of, { waker }, by, letGo),
        ),
      );
      return { data, lines: exchangeLines(data) };
    } finally {
      await waker.close();
    }
  },
};
