import type { CheckinReply } from '@kist/contract/agent';
import { describe, expect, it } from 'vitest';
import { DAY, T0, iso, DPC, enrolled, play, policyAt, says, elapse } from '#simulator-test/android-play.ts';
import { reportOf } from './report.ts';

describe('orders', () => {
  const order = (type: string, part: Partial<CheckinReply['commands'][number]> = {}) => ({
    id: '0190b3c2-0000-7000-8000-00000000aaaa',
    seq: 4,
    type,
    args: {},
    expires_at: iso(T0 + DAY),
    ...part,
  });

  it('are done once and confirmed as often as they are asked', () => {
    const message = order('emi_alert', { args: { text: 'Instalment due on 5 November' } });
    const once = play(enrolled(), says({ commands: [message] }));
    const twice = play(once, says({ commands: [message], sentAcks: once.agent!.acks }));
    expect(twice.agent!.messages).toHaveLength(1);
    expect(twice.agent!.acks).toEqual([{ id: message.id, seq: 4, status: 'applied' }]);
    const seen = play(twice, { kind: 'message_seen', id: message.id });
    expect(seen.agent!.acks).toEqual([{ id: message.id, seq: 4, status: 'seen' }]);
  });

  it('an ack stays until an answer to the report that carried it, and a newer word is not lost with the older one', () => {
    const message = order('emi_alert', { args: { text: 'x' } });
    const shown = play(enrolled(), says({ commands: [message] }));
    const seen = play(shown, { kind: 'message_seen', id: message.id }, says({ sentAcks: shown.agent!.acks }));
    expect(seen.agent!.acks).toEqual([{ id: message.id, seq: 4, status: 'seen' }]);
  });

  it('expired ones fail by trusted time', () => {
    const phone = play(enrolled(), elapse(2 * DAY), says({ serverMs: T0 + 2 * DAY, commands: [order('location')] }));
    expect(phone.agent!.acks[0]).toMatchObject({ status: 'failed', code: 'EXPIRED' });
  });

  it('the holder’s own clock neither makes an order expire nor brings an expired one back', () => {
    const ahead = { kind: 'set_wall_clock', wallMs: T0 + 3 * DAY } as const;
    const inTime = play(enrolled(), ahead, says({ commands: [order('location')] }));
    expect(inTime.agent!.acks).toMatchObject([{ status: 'applied' }]);
    const behind = { kind: 'set_wall_clock', wallMs: T0 } as const;
    const late = says({ serverMs: T0 + 2 * DAY, commands: [order('location')] });
    expect(play(enrolled(), elapse(2 * DAY), behind, late).agent!.acks).toMatchObject([
      { status: 'failed', code: 'EXPIRED' },
    ]);
  });

  it('a reboot is delivered before and applied after it', () => {
    const asked = play(enrolled(), says({ commands: [order('reboot')] }));
    expect(asked.agent!.acks).toMatchObject([{ status: 'delivered' }]);
    const back = play(asked, { kind: 'power_off' }, { kind: 'power_on' });
    expect(back.agent!.acks).toMatchObject([{ status: 'applied', result: { boot_count: 2 } }]);
    expect(back.agent!.highestSeq).toBe(4);
  });

  it('a linked phone answers what it cannot do, asks its holder for the rest, and never says it is locked', () => {
    const linked = play(
      enrolled({ ...DPC, agent: 'LINKFL' }),
      { kind: 'permissions', areGranted: false },
      says({
        desired: { revision: 1, policy: policyAt(4) },
        commands: [order('reboot'), order('location', { id: '0190b3c2-0000-7000-8000-00000000bbbb', seq: 5 })],
      }),
    );
    expect(linked.agent!.acks).toMatchObject([
      { status: 'failed', code: 'UNSUPPORTED_ON_DEVICE' },
      { status: 'failed', code: 'PERMISSION_DENIED' },
    ]);
    expect(reportOf(linked, linked.agent!).state).toMatchObject({ revision: 1, lock_level: 2 });
  });
});
