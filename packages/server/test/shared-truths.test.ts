import { LIMITS, LOCKED_FROM_LEVEL } from '@kist/contract/limits';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type IsoDate, addDays, businessDate, instantOf, isoDate } from '@kist/contract/dates';
import { DISPUTES, DISPUTE_STATES, WAITING_DISPUTES } from '@kist/contract/dispute-states';
import { MATURING_DAYS, daysPastDue, isMaturing, isOverdue } from '@kist/contract/dues';
import { LOCK_LEVELS } from '@kist/contract/lock-policy';
import { soundOf, wordsOf } from '@kist/contract/search-words';
import { compensation } from '#server/locking/rules/compensation.ts';
import { today } from '#server/platform/clock.ts';
import { createTestDatabase } from './database.ts';
import { setClock } from './factories.ts';

/** What SQL and TypeScript both reckon: each of these fails when one side is changed without the other. */
const db = await createTestDatabase();

/** Days whose next or last one is another month, year or financial year, and the days of leap years. */
const EDGES = ['2026-03-31', '2026-12-31', '2027-02-28', '2028-02-28', '2028-02-29', '2028-03-01'].map(isoDate);
const dates = fc.integer({ min: -9000, max: 20_000 }).map((days) => addDays(isoDate('2026-01-01'), days));
const RUNS = { numRuns: 200 };

/** What SQL makes of each row, by an expression on `a` and, with more types, `b` and `c`. */
async function answers<T>(
  expression: string,
  rows: readonly (readonly unknown[])[],
  types: readonly string[],
): Promise<T[]> {
  const columns = types.map((type, index) => `$${index + 1}::${type}[]`).join(', ');
  const names = ['a', 'b', 'c'].slice(0, types.length).join(', ');
  const found = await db.asOwner<{ answer: T }>(
    `select ${expression} as answer from unnest(${columns}) with ordinality as t(${names}, n) order by n`,
    types.map((_type, index) => rows.map((row) => row[index])),
  );
  return found.map(({ answer }) => answer);
}

describe('today in India', () => {
  test.each(
    EDGES.flatMap((on) =>
      ['00:00:00', '02:00:00', '05:29:59', '05:30:00', '12:00:00', '23:59:58'].map((at) => [on, at] as const),
    ),
  )('%s %s is that day, in SQL and in TypeScript', async (on, at) => {
    await setClock(db, `${on}T${at}`);
    const [asked, answered] = await db.unscoped(async (tx) => [
      (await tx.query<{ on: string }>('select kist_today() as on')).rows[0]!.on,
      await today(tx),
    ]);
    expect([asked, answered]).toEqual([on, on]);
  });

  test('a day begins at the same instant, and that instant is its first', async () => {
    const days = [...EDGES, ...fc.sample(dates, RUNS)];
    const begins = await answers<Date>(
      'kist_day_begins(a)',
      days.map((day) => [day]),
      ['date'],
    );
    expect(begins.map((at) => at.getTime())).toEqual(days.map((day) => instantOf(day)));
    expect(begins.map((at) => businessDate(at.getTime()))).toEqual(days);
    expect(begins.map((at) => businessDate(at.getTime() - 1))).toEqual(days.map((day) => addDays(day, -1)));
  });
});

/** Each edge with the days around it, and any two. */
const pairs: [IsoDate, IsoDate][] = [
  ...EDGES.flatMap((on) =>
    [-MATURING_DAYS - 1, -MATURING_DAYS, -1, 0, 1, MATURING_DAYS, MATURING_DAYS + 1].map((days): [IsoDate, IsoDate] => [
      addDays(on, days),
      on,
    ]),
  ),
  ...fc.sample(fc.tuple(dates, dates), RUNS),
];

test('days past due are the same, 0 on the day itself and where nothing is due', async () => {
  const cases = [...pairs, ...EDGES.map((on) => [null, on] as const)];
  expect(await answers<number>('kist_days_past_due(a, b)', cases, ['date', 'date'])).toEqual(
    cases.map(([dueOn, on]) => daysPastDue(dueOn, on)),
  );
  const dueOn = isoDate('2028-02-28');
  expect(['2028-02-27', '2028-02-28', '2028-02-29', '2028-03-01'].map((on) => daysPastDue(dueOn, isoDate(on)))).toEqual(
    [0, 0, 1, 2],
  );
});

test('what is overdue is the same, from the day after the due day', async () => {
  expect(await answers<boolean>('kist_is_overdue(a, b)', pairs, ['date', 'date'])).toEqual(
    pairs.map(([dueOn, on]) => isOverdue(dueOn, on)),
  );
  const dueOn = isoDate('2028-02-28');
  expect(['2028-02-27', '2028-02-28', '2028-02-29'].map((on) => isOverdue(dueOn, isoDate(on)))).toEqual([
    false,
    false,
    true,
  ]);
});

test('what matures within 30 days is the same', async () => {
  expect(await answers<boolean>('kist_is_maturing(a, b)', pairs, ['date', 'date'])).toEqual(
    pairs.map(([lastDueOn, on]) => isMaturing(lastDueOn, on)),
  );
  expect(
    [0, MATURING_DAYS, MATURING_DAYS + 1, -1].map((days) => isMaturing(addDays(EDGES[0]!, days), EDGES[0]!)),
  ).toEqual([true, true, false, false]);
});

test('the levels that count as locked are the same', async () => {
  const levels = Object.values(LOCK_LEVELS);
  expect(
    await answers<boolean>(
      'kist_locks(a)',
      levels.map((level) => [level]),
      ['int'],
    ),
  ).toEqual(levels.map((level) => level >= LOCKED_FROM_LEVEL));
});

test('the hours of a late unlock that count are the same, to the last part of a second', async () => {
  const cured = new Date('2026-03-18T06:30:00.400Z').getTime();
  const micros = fc.integer({ min: -7_200_000_000, max: 3_600_000_000 * 50 });
  const edges = [0, 60, 120].flatMap((minutes) =>
    [-1, 0, 1, 999, 1000, 1001].map((beyond) => minutes * 60_000_000 + beyond),
  );
  const cases = [
    ...edges.flatMap((after) => [0, 60].map((free): [number, number] => [after, free])),
    ...fc.sample(fc.tuple(micros, fc.integer({ min: 0, max: 1440 })), RUNS),
  ];
  const found = await answers<{ hours: number }>(
    `json_build_object('hours', kist_late_hours(a, a + b * interval '1 microsecond', c))`,
    cases.map(([after, free]) => [new Date(cured), after, free]),
    ['timestamptz', 'bigint', 'integer'],
  );
  const meter = ([after, cureWithinMinutes]: [number, number]) =>
    // As a moment comes from the database: in milliseconds, what is beyond them cut off.
    compensation(
      { kind: 'late_reversal', fromMs: cured, confirmedAtMs: Math.floor(cured + after / 1000) },
      { cureWithinMinutes, compensationPaisePerHour: 1 },
      Infinity,
    ).hours;
  expect(found.map(({ hours }) => hours)).toEqual(cases.map(meter));
});

test('the days in which a shop of before brings in what it took are the same, and as many as a session lasts', async () => {
  const [{ source } = { source: '' }] = await db.asOwner<{ source: string }>(
    `select prosrc as source from pg_proc where proname = 'kist_answered_for'`,
  );
  expect(source.match(/interval '[^']*'/g)).toEqual([`interval '${LIMITS.takenBeforeTransferDays} days'`]);
  expect(LIMITS.takenBeforeTransferDays).toBe(LIMITS.sessionAbsoluteDays);
});

test('which complaints keep a customer from being erased, and for how long, is the same', async () => {
  const [{ source } = { source: '' }] = await db.asOwner<{ source: string }>(
    `select prosrc as source from pg_proc where proname = 'kist_open_of_locks'`,
  );
  const further = DISPUTE_STATES.filter((state) => DISPUTES[state].to.escalated !== undefined);
  const asked = [...source.matchAll(/d\.state in \(([^)]*)\)/g)].map(([, states]) => states);
  expect(asked).toEqual([WAITING_DISPUTES, further].map((states) => states.map((state) => `'${state}'`).join(', ')));
  expect(source.match(/interval '[^']*'/g)).toEqual([`interval '${LIMITS.disputeAnswerDays} days'`]);
});

test('how a name sounds is heard alike by the database and by a phone without a network', async () => {
  const called = [
    ['lakshmi deshpande', 'laxman desai', 'मोहम्मद शेख', 'md. sheikh', 'মোঃ রফিক', "anthony d'souza", 's.k. verma'],
    ['मदन ममता', 'सुनीता जाधव', 'vishwas fadke', 'மீனாட்சி இராமன்', 'ramesh chowdhary', 'om kothari redmi 13c'],
    ['dnyaneshwar kshirsagar', 'ज्ञानदेव राव', 'ਗੁਰਪ੍ਰੀਤ ਸਿੰਘ', 'వెంకటేష్ రెడ్డి', 'ರೋಹಿತ್ ಗೌಡ', 'રોહિત પટેલ'],
  ].flat();
  const typed = called.concat('laxmi लक्ष्मी லட்சுமி mohammad md dsouza sk phadke minaxi राव gyaneshwar redmi13c ओम');
  const sounds = typed.flatMap((words) => wordsOf(words).all.flatMap((word) => soundOf(word) ?? []));
  const rows = sounds.flatMap(({ begins, whole }) => called.flatMap((name) => [begins, whole].map((at) => [name, at])));
  const heard = rows.map(([name, pattern]) => new RegExp(pattern!, 'u').test(name!));
  expect(heard.filter(Boolean).length).toBeGreaterThan(typed.length);
  expect(await answers<boolean>('a ~ b', rows, ['text', 'text'])).toEqual(heard);
});
