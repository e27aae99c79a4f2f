import { makeLoadPhone } from '@kist/simulator/measured';
import { bytesOf, costOf, firstCheckins } from '#bench/phones.ts';
import { type Bench, type Figure, ratioOf } from '#bench/lib/figures.ts';
import { strangeKey } from '#bench/lib/own-keys.ts';
import { onStage } from '#bench/lib/stage.ts';

const ORG = 50;
const PHONES = 10_000;
/** A server that has run for a while has code that is made for both; one just started answers its first thousands at twice the cost. */
const STRANGERS_WARM = 6000;
const STRANGERS_A_ROUND = 3000;
const KNOWN_WARM = 2000;
const KNOWN_A_ROUND = 1000;
const ROUNDS = 13;
/** One address asks for all of them: as many as it may, as the product ships. */
const AS_SHIPPED = { KIST_RATE_LIMIT_FACTOR: '1' };

/** What somebody who proves nothing costs, against a phone that is right. */
export const strangers: Bench = { name: 'strangers', run: () => ofStrangers() };

/** Requests signed with keys that are nobody's, each by another, against first check-ins of real phones, from one address, under the limits that the product ships with. */
const ofStrangers = (): Promise<Figure[]> =>
  onStage(
    [{ orgId: ORG, phones: PHONES, retailers: 4, level: 0, hasBooks: false }],
    async (stage) => {
      const next = firstCheckins(stage, PHONES);
      const signed = (many: number) => Array.from({ length: many }, () => strangeCheckin());
      await costOf(stage, await next(KNOWN_WARM));
      await costOf(stage, signed(STRANGERS_WARM), true);
      const ratio = await ratioOf(
        ROUNDS,
        () => costOf(stage, signed(STRANGERS_A_ROUND), true),
        async () => costOf(stage, await next(KNOWN_A_ROUND)),
      );
      return [
        {
          name: 'a request that nobody signed',
          of: 'processor of server and database, ÷ a check-in',
          unit: '×',
          atMost: 0.1,
          ...ratio,
          detail: `${ratio.ours.toFixed(3)} ms ÷ ${ratio.theirs.toFixed(2)} ms, ${ROUNDS} × ${STRANGERS_A_ROUND} and ${KNOWN_A_ROUND} in turn`,
        },
      ];
    },
    AS_SHIPPED,
  );

function strangeCheckin(): Buffer {
  const phone = makeLoadPhone({
    ...strangeKey(ORG),
    deviceId: crypto.randomUUID(),
    imei: '350000000000001',
    nowMs: Date.now(),
  });
  return bytesOf(phone.presign(1, { revision: 1, level: 0 })[0]!);
}
