import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { makeLoadPhone, signRequest } from '@kist/simulator/measured';
import { bytesOf, costOf, firstCheckins } from '#bench/phones.ts';
import { type Bench, type Figure, ratioOf } from '#bench/lib/figures.ts';
import { type OwnKey, giveKeys, strangeKey } from '#bench/lib/own-keys.ts';
import { type Stage, onStage } from '#bench/lib/stage.ts';

const ORG = 50;
const PHONES = 10_000;
/** Phones in whose names others ask, beside those that ask themselves. */
const NAMED = 200;
/** A server that has run for a while has code that is made for both; one just started answers its first thousands at twice the cost. */
const STRANGERS_WARM = 6000;
const STRANGERS_A_ROUND = 3000;
const KNOWN_WARM = 2000;
const KNOWN_A_ROUND = 1000;
const ROUNDS = 13;
/** Of the kinds beside it, which differ less. */
const FEWER_ROUNDS = 7;
/** One address asks for all of them: as many as it may, as the product ships. */
const AS_SHIPPED = { KIST_RATE_LIMIT_FACTOR: '1' };

/** What somebody who proves nothing costs, against a phone that is right. */
export const strangers: Bench = { name: 'strangers', run: () => ofStrangers() };

interface Kind {
  name: string;
  /** Undefined: shown only. */
  atMost?: number;
  rounds: number;
  make: () => Buffer;
}

/** Requests of nobody, each kind by itself, against first check-ins of real phones, from one address, under the limits that the product ships with. */
const ofStrangers = (): Promise<Figure[]> =>
  onStage(
    [{ orgId: ORG, phones: PHONES + NAMED, retailers: 4, level: 0, hasBooks: false }],
    async (stage) => {
      const next = firstCheckins(stage, PHONES);
      await costOf(stage, await next(KNOWN_WARM));
      const figures: Figure[] = [];
      for (const kind of await kindsOf(stage)) figures.push(await against(stage, next, kind));
      return figures;
    },
    AS_SHIPPED,
  );

async function kindsOf({ dataDir }: Stage): Promise<Kind[]> {
  const named = await giveKeys(
    dataDir,
    ORG,
    Array.from({ length: NAMED }, (_one, n) => PHONES + 1 + n),
  );
  let at = 0;
  return [
    { name: 'a request that nobody signed', atMost: 0.1, rounds: ROUNDS, make: () => checkinOf(strangeKey(ORG)) },
    { name: 'an enrolment with a code that was made up', atMost: 0.1, rounds: FEWER_ROUNDS, make: madeUpEnrolment },
    // No limit: a phone's right signature must always pass, so each is looked at, which nobody can do for a tenth of a check-in.
    {
      name: 'a request in a phone’s name with another’s signature',
      rounds: FEWER_ROUNDS,
      make: () => checkinOf(forged(named[(at += 1) % NAMED]!)),
    },
  ];
}

async function against(stage: Stage, next: (many: number) => Promise<Buffer[]>, kind: Kind): Promise<Figure> {
  const asked = (many: number) => Array.from({ length: many }, kind.make);
  await aNewMinute();
  await costOf(stage, asked(STRANGERS_WARM), true);
  const ratio = await ratioOf(
    kind.rounds,
    () => costOf(stage, asked(STRANGERS_A_ROUND), true),
    async () => costOf(stage, await next(KNOWN_A_ROUND)),
  );
  return {
    name: kind.name,
    of: 'processor of server and database, ÷ a check-in',
    unit: '×',
    ...(kind.atMost !== undefined && { atMost: kind.atMost }),
    ...ratio,
    detail: `${ratio.ours.toFixed(3)} ms ÷ ${ratio.theirs.toFixed(2)} ms, ${kind.rounds} × ${STRANGERS_A_ROUND} and ${KNOWN_A_ROUND} in turn`,
  };
}

/** An address may ask 60,000 times a minute, and a kind with its check-ins is just below. */
const aNewMinute = (): Promise<void> => sleep(60_000 - (Date.now() % 60_000));

function checkinOf(own: OwnKey): Buffer {
  const phone = makeLoadPhone({ ...own, deviceId: crypto.randomUUID(), imei: '350000000000001', nowMs: Date.now() });
  return bytesOf(phone.presign(1, { revision: 1, level: 0 })[0]!);
}

/** The name of a phone's key and the key itself, as anybody may have seen them, and a signature by another. */
function forged({ keyid, key: { publicKeySpki } }: OwnKey): OwnKey {
  const { key } = strangeKey(ORG);
  return { keyid, key: { ...key, publicKeySpki } };
}

function madeUpEnrolment(): Buffer {
  const { key } = strangeKey(ORG);
  const token = `${ORG.toString(36)}.${randomBytes(32).toString('base64url')}`;
  const body = JSON.stringify({
    proto: 1,
    token,
    public_key_spki: key.publicKeySpki,
    attestation: [],
    imei: ['350000000000001'],
    serial: 'SER1',
    brand: 'Acme',
    model: 'One',
    agent: 'DPC',
    agent_version: '1.0.0',
    boot_count: 1,
    elapsed_ms: 1000,
  });
  return bytesOf(signRequest({ keyid: token.slice(0, 16), key }, 'POST', '/agent/v1/enrol', body, Date.now()));
}
