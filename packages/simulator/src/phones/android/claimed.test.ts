import type { ClaimAnswer } from '@kist/contract/agent';
import { describe, expect, it } from 'vitest';
import {
  DAY,
  HOUR,
  T0,
  dealerLease,
  elapse,
  enrolled,
  iso,
  level,
  play,
  policyAt,
  says,
} from '#simulator-test/android-play.ts';
import type { PhoneEvent } from './events.ts';
import { screenOf } from './screen.ts';
import type { Phone } from './state.ts';

const SCREEN = {
  language: 'en',
  shop: 'Sunita Mobile',
  shop_phone: '9000000001',
  agreement_no: '20-00471',
  amount_paise: 2_674_00,
  due_since: '2026-11-01',
  instalments_due: 1,
  upi_uri: null,
  reason: 'EMI_OVERDUE',
};
/** The dealer's ladder of an instalment; its notice came already. */
const leaseFor = (seq: number, due_since = SCREEN.due_since) =>
  dealerLease({
    seq,
    notices: [{ no: 1, at: iso(T0), delivered_at: iso(T0) }],
    screen: { ...SCREEN, due_since },
  });
const offline: PhoneEvent = { kind: 'network', isOn: false };
const claim: PhoneEvent = { kind: 'payment_claimed' };
const idsOf = (phone: Phone) => phone.agent!.events.map(({ id }) => id);
/** A day and an hour into the lease, out of reach, at level 1. */
const late = () => play(enrolled(), says({ lease: leaseFor(1) }), offline, elapse(DAY + HOUR));

describe('a phone on which it is said to be paid', () => {
  it('takes no step by itself for two days after that one, out of reach and over restarts, and then goes on in the morning, each step as long after the one below', () => {
    expect(level(play(late(), elapse(DAY)))).toBe(2);
    const claimed = play(late(), claim);
    expect(screenOf(claimed).nextLockOn).toBe('2026-11-06');
    const restarted = play(claimed, elapse(HOUR), { kind: 'power_off' }, elapse(HOUR), { kind: 'power_on' });
    // As its storage is written and read.
    const kept = JSON.parse(JSON.stringify(restarted)) as Phone;
    const at = (ms: number) => level(play(kept, elapse(ms - (DAY + 2 * HOUR))));
    // Said on the 2nd at eleven: the 5th at ten.
    expect([at(4 * DAY - 1), at(4 * DAY), at(5 * DAY - 1), at(5 * DAY)]).toEqual([1, 2, 2, 3]);
    expect(screenOf(play(kept, elapse(2 * DAY + 22 * HOUR))).nextLockOn).toBe('2026-11-06');
  });

  it('waits no longer for being told often, and as long as the server rests for it once the server has it', () => {
    const claimed = play(late(), claim);
    const often = play(claimed, elapse(DAY), claim, elapse(DAY), claim);
    expect(level(play(often, elapse(23 * HOUR)))).toBe(2);
    // Told on the 4th, and no lease came with the answer.
    const told = play(claimed, says({ serverMs: T0 + 3 * DAY, sentEventIds: idsOf(claimed) }));
    expect([level(play(told, elapse(3 * DAY - 1))), level(play(told, elapse(3 * DAY)))]).toEqual([1, 2]);
  });

  it('waits for nothing that is said before the day, and waits all the same when it is late', () => {
    const early = play(enrolled(), says({ lease: leaseFor(1, '2026-11-03') }), offline, elapse(DAY + HOUR), claim);
    const due = play(early, elapse(DAY));
    expect(level(due)).toBe(2);
    const claimed = play(due, claim);
    expect([level(play(claimed, elapse(3 * DAY - HOUR - 1))), level(play(claimed, elapse(3 * DAY - HOUR)))]).toEqual([
      2, 3,
    ]);
  });

  it('goes on by the first lease that was made knowing of it, and by none before', () => {
    const claimed = play(late(), claim);
    const nowMs = T0 + 3 * DAY;
    // This lease was under way when the word was said: the server did not know.
    const unknowing = play(claimed, says({ serverMs: nowMs, lease: leaseFor(2), sentEventIds: idsOf(claimed) }));
    // Until the end of the second day after the one on which the server had it.
    const resting = elapse(3 * DAY - 1);
    expect(level(play(unknowing, resting))).toBe(0);
    const same = play(unknowing, says({ serverMs: nowMs, lease: leaseFor(2) }));
    expect(level(play(same, resting))).toBe(0);
    const answered = play(unknowing, says({ serverMs: nowMs, lease: leaseFor(3) }));
    expect([level(play(answered, resting)), level(play(answered, elapse(9 * DAY)))]).toEqual([3, 4]);
  });

  it('waits once for an instalment, however often it is said, and again for the next', () => {
    const claimed = play(late(), claim);
    const nowMs = T0 + 2 * DAY;
    const told = play(claimed, says({ serverMs: nowMs, sentEventIds: idsOf(claimed) }));
    const answered = play(told, says({ serverMs: nowMs, lease: leaseFor(2) }), offline, claim);
    expect(answered.agent!.events.at(-1)).toMatchObject({ kind: 'payment_claimed' });
    const resting = elapse(3 * DAY - 1);
    expect(level(play(answered, resting))).toBe(3);
    const next = play(answered, says({ serverMs: nowMs, lease: leaseFor(3, '2026-11-02') }), claim);
    expect(level(play(next, resting))).toBe(0);
  });

  it('does what the server wants all the same, and a new word of it does not make the ladder go on', () => {
    // An hour before the last step, on the 8th at nine.
    const before = play(enrolled(), says({ lease: leaseFor(1) }), offline, elapse(7 * DAY - HOUR));
    const said = says({ serverMs: T0 + 7 * DAY - HOUR, desired: { revision: 4, policy: policyAt(3) } });
    expect(level(play(before, said, elapse(HOUR)))).toBe(4);
    const claimed = play(before, claim, said);
    expect(level(claimed)).toBe(3);
    expect([level(play(claimed, elapse(3 * DAY + HOUR - 1))), level(play(claimed, elapse(3 * DAY + HOUR)))]).toEqual([
      3, 4,
    ]);
  });
});

describe('what its screen says of it', () => {
  const AT = T0 + 2 * DAY;
  const told = () => {
    const claimed = play(late(), claim);
    return play(claimed, says({ serverMs: AT, lease: leaseFor(2), sentEventIds: idsOf(claimed) }));
  };
  const answered = (phone: Phone, seq: number, answer: ClaimAnswer) =>
    play(phone, says({ serverMs: AT + DAY, lease: { ...leaseFor(seq), claim_answer: answer } }));

  it('is when the server heard of it, then the shop’s no, then that money came', () => {
    expect(screenOf(play(late(), claim)).claim).toEqual({ is: 'waiting' });
    expect(screenOf(told()).claim).toEqual({ is: 'told', atMs: AT });
    const refused = answered(told(), 3, { is: 'refused', at: iso(AT + HOUR) });
    expect(screenOf(refused).claim).toEqual({ is: 'refused', atMs: AT + HOUR });
    const paid = answered(refused, 4, { is: 'paid', at: iso(AT + 2 * HOUR) });
    expect(screenOf(paid).claim).toEqual({ is: 'paid', atMs: AT + 2 * HOUR });
  });

  it('is not the answer to an earlier word', () => {
    const refused = answered(told(), 3, { is: 'refused', at: iso(AT + HOUR) });
    const again = play(refused, claim);
    expect(screenOf(again).claim).toEqual({ is: 'waiting' });
    const heard = play(again, says({ serverMs: AT + 2 * DAY, sentEventIds: idsOf(again) }));
    expect(screenOf(heard).claim).toEqual({ is: 'told', atMs: AT + 2 * DAY });
  });

  it('is its answer also on a phone whose clock runs ahead of the server’s', () => {
    const ahead = play(late(), elapse(2 * DAY), claim);
    const heard = play(ahead, says({ serverMs: AT, lease: leaseFor(2), sentEventIds: idsOf(ahead) }));
    expect(screenOf(answered(heard, 3, { is: 'refused', at: iso(AT + HOUR) })).claim).toMatchObject({ is: 'refused' });
  });

  it('is nothing once the phone is free', () => {
    const free = play(told(), says({ serverMs: AT, desired: { revision: 9, policy: policyAt(0) } }));
    expect(screenOf(free).claim).toBeNull();
  });
});
