import type { LockScreen } from '@kist/contract/agent';
import { describe, expect, it } from 'vitest';
import { DAY, T0, elapse, enrolled, iso, leaseOf, play, policyAt, says } from '#simulator-test/android-play.ts';
import type { Phone } from './state.ts';

const [FIRST, SECOND] = ['2026-10-05', '2026-11-05'];
const screen = (due_since: string): LockScreen => ({
  language: 'en',
  shop: 'Sharma Mobiles',
  shop_phone: '',
  agreement_no: 'KIST/26-27/000142',
  amount_paise: 267_400,
  due_since,
  instalments_due: 1,
  upi_uri: null,
  reason: 'EMI_OVERDUE',
});
const owing = (dueSince: string | null, seq = 1) =>
  leaseOf({ seq, screen: dueSince === null ? null : screen(dueSince) });
let orders = 0;
const told = (args: Record<string, unknown>) => {
  orders += 1;
  const id = `0190b3c2-0000-7000-8000-${String(orders).padStart(12, 'b')}`;
  return { id, seq: orders, type: 'emi_alert', args: { text: 'x', ...args }, expires_at: iso(T0 + 30 * DAY) };
};
const notice = (due_on = FIRST) => told({ kind: 'notice', due_on });
const desired = (revision: number, level: 0 | 1 | 2 | 3 | 4, released = false) => ({
  revision,
  policy: { ...policyAt(level), released },
});
const kinds = (phone: Phone) => phone.agent!.messages.map(({ kind = 'words' }) => kind);

describe('what a phone was told of a debt', () => {
  const owes = () =>
    play(
      enrolled(),
      says({
        lease: owing(FIRST),
        desired: desired(1, 2),
        commands: [
          notice(),
          told({ kind: 'reminder', due_on: SECOND }),
          told({ kind: 'receipt', due_on: FIRST }),
          told({}),
        ],
      }),
    );

  it('goes with the lease that knows of the money; what is of a later instalment or of no debt stays', () => {
    const paid = play(owes(), says({ lease: owing(SECOND, 2) }));
    expect(kinds(paid)).toEqual(['reminder', 'receipt', 'words']);
    expect(kinds(play(paid, says({ lease: owing(null, 3) })))).toEqual(['receipt', 'words']);
  });

  it('is not shown where it was paid while it was on its way, and the order fails', () => {
    const late = notice();
    const home = play(enrolled(), elapse(7 * DAY), says({ lease: owing(SECOND), commands: [late, notice(SECOND)] }));
    expect(home.agent!.messages).toMatchObject([{ dueOn: SECOND }]);
    expect(home.agent!.acks).toContainEqual({ id: late.id, seq: late.seq, status: 'failed', code: 'EXPIRED' });
  });

  it('goes when the phone is held less for it or let go, but not what comes with that very word', () => {
    const next = notice();
    expect(kinds(play(owes(), says({ desired: desired(2, 1) })))).toEqual(['reminder', 'receipt', 'words']);
    expect(kinds(play(owes(), says({ desired: desired(2, 0), commands: [next] })))).toContain('notice');
    expect(kinds(play(owes(), says({ desired: desired(2, 0, true) })))).toEqual(['receipt', 'words']);
  });

  it('stays when what is lifted was no lock for money', () => {
    const stolen = { ...policyAt(4), lock: { level: 4 as const, cause: 'theft' as const, screen: null } };
    const lifted = play(
      enrolled(),
      says({ lease: owing(FIRST), desired: { revision: 1, policy: stolen }, commands: [notice()] }),
      says({ desired: desired(2, 0) }),
    );
    expect(kinds(lifted)).toEqual(['notice']);
  });

  it('goes with the lock that it told of, and stays while another is to come', () => {
    const step = (level: number, inDays: number) => ({
      at: iso(T0 + inDays * DAY),
      level,
      notice_no: null,
      notice_days: 0,
    });
    const climbing = (phone: Phone, ...steps: ReturnType<typeof step>[]) =>
      play(phone, says({ lease: { ...owing(FIRST, 2), ladder: steps } }), elapse(3 * DAY));
    expect(kinds(climbing(owes(), step(3, 2)))).toEqual(['reminder', 'receipt', 'words']);
    expect(kinds(climbing(owes(), step(3, 2), step(4, 9)))).toContain('notice');
    expect(kinds(climbing(owes(), step(3, 9)))).toContain('notice');
  });

  it('stays on file once it was closed', () => {
    const before = owes();
    const seen = play(before, { kind: 'message_seen', id: before.agent!.messages[0]!.id });
    expect(kinds(play(seen, says({ lease: owing(SECOND, 2) })))).toContain('notice');
  });
});
