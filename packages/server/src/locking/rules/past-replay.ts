import { DAY_MS, type IsoDate, addDays, businessDate } from '@kist/contract/dates';
import { HOUR_MS, dayStartMs, spreadInWindowMs } from './calendar.ts';
import type { AgreementFacts, GateFacts } from './facts.ts';
import { type Gate, gate } from './gate.ts';
import { spreadMs } from './lease-ladder.ts';
import { type Day, type ReplayedStep, fall, rise, tell } from './replay.ts';

/** One agreement as it was lived: `facts` of now, of which agreement, notices, disputes, holds and levels are reckoned anew. */
export interface Past {
  facts: GateFacts;
  agreement: AgreementFacts;
  /** Whole sums without late fees, in order of due date. */
  instalments: readonly { no: number; dueOn: IsoDate; paise: number }[];
  /** What came in for an instalment and when it was known, in that order; less than nothing where it was taken back. */
  paid: readonly { no: number; atMs: number; paise: number }[];
  /** The phone could be held from then to then; null: still. */
  heldFromMs: number;
  heldToMs: number | null;
}

type Moment = { atMs: number; does: 'fall' | 'tell' | 'rise' };

/**
 * What the daily run would have done to one agreement on each of some past days under the policy of `facts`, with the payments as they came in; every notice
 * arrives when it is sent, nobody disputes and no time is given: the hardest that the policy can be. Pure: nothing is written or sent.
 * @param fromMs the first day begins there with a free phone and nothing told
 * @param toMs nothing after it
 */
export function createPastReplay(judge: Gate): (past: Past, fromMs: number, toMs: number) => ReplayedStep[] {
  return (past, fromMs, toMs) => {
    const life = begin(past);
    const steps: ReplayedStep[] = [];
    const { policy, device } = past.facts;
    const ahead = -Math.min(0, ...policy.reminderOffsetDays);
    for (let startMs = dayStartMs(fromMs); startMs < toMs; startMs += DAY_MS) {
      life.passTo(startMs);
      const isQuiet =
        life.day.facts.device.currentDebtLevel === 0 && !life.hasDueBy(addDays(businessDate(startMs), ahead));
      const paidMs = life.paidBetween(startMs, startMs + DAY_MS);
      if (isQuiet && paidMs.length === 0) continue;
      const moments: Moment[] = [
        ...[startMs, ...paidMs].map((atMs) => ({ atMs, does: 'fall' as const })),
        { atMs: startMs + policy.automaticHours.fromHour * HOUR_MS, does: 'tell' },
        { atMs: spreadInWindowMs(startMs, policy.automaticHours, spreadMs(device.deviceId)), does: 'rise' },
      ];
      for (const { atMs, does } of moments.toSorted((a, b) => a.atMs - b.atMs)) {
        if (atMs > toMs) break;
        life.passTo(atMs);
        if (does === 'tell') tell(life.day, atMs, steps);
        else if (life.isHoldableAt(atMs))
          (does === 'fall' ? fall : rise)(judge, life.day, does === 'fall' ? atMs : startMs, steps);
      }
    }
    return steps;
  };
}

/** The books of one agreement as they were known at a moment that only goes on. */
function begin({ facts, agreement, instalments, paid, heldFromMs, heldToMs }: Past) {
  const left = new Map(instalments.map(({ no, paise }) => [no, paise]));
  const fresh = { currentDebtLevel: 0, levelSinceMs: null } as const;
  const day: Day = {
    facts: { ...facts, notices: [], disputes: [], holds: [], device: { ...facts.device, ...fresh } },
    state: 'active',
    unpaid: [],
    sent: [],
    isHoldable: true,
  };
  let next = 0;
  const reckon = (atMs: number): void => {
    day.unpaid = instalments
      .map(({ no, dueOn }) => ({ dueOn, unpaidPaise: left.get(no) ?? 0 }))
      .filter(({ unpaidPaise }) => unpaidPaise > 0);
    const [oldest, ...later] = day.unpaid;
    const toldAnewMs = agreement.noticesFromMs;
    day.facts = {
      ...day.facts,
      agreement: {
        ...agreement,
        state: oldest ? 'active' : 'completed',
        oldestUnpaidDueOn: oldest?.dueOn ?? null,
        oldestUnpaidPaise: oldest?.unpaidPaise ?? 0,
        laterUnpaid: later.map(({ dueOn, unpaidPaise }) => ({ dueOn, paise: unpaidPaise })),
        noticesFromMs: toldAnewMs !== null && toldAnewMs <= atMs ? toldAnewMs : null,
      },
    };
  };
  reckon(-Infinity);
  return {
    day,
    passTo: (atMs: number): void => {
      const before = next;
      for (let one = paid[next]; one && one.atMs <= atMs; one = paid[next]) {
        left.set(one.no, (left.get(one.no) ?? 0) - one.paise);
        next += 1;
      }
      if (next > before) reckon(atMs);
    },
    hasDueBy: (on: IsoDate): boolean => day.unpaid.some(({ dueOn }) => dueOn <= on),
    paidBetween: (fromMs: number, toMs: number): number[] =>
      paid.slice(next).flatMap(({ atMs }) => (atMs > fromMs && atMs < toMs ? [atMs] : [])),
    isHoldableAt: (atMs: number): boolean => atMs >= heldFromMs && (heldToMs === null || atMs < heldToMs),
  };
}

/** By the rules of the house. */
export const pastReplay = createPastReplay(gate);
