import { describe, expect, test } from 'vitest';
import { type PhoneChannel, VENDORS, capabilityAmong, capabilityOf } from './capabilities.ts';
import { PROVISIONING_NAMES } from './codes.ts';
import { COMMANDS, COMMAND_TYPES, strengthOf } from './commands.ts';
import { isGivingBack } from './offered.ts';

const proven: PhoneChannel = {
  provisioning: 'DPC',
  vendor: 'android-agent',
  grade: 'hardware',
  saysDigest: true,
  agentVersion: '1.0.0',
  androidApi: 34,
  isOwner: true,
};
const can = (type: (typeof COMMAND_TYPES)[number], phone: Partial<PhoneChannel> = {}) =>
  capabilityOf(type, { ...proven, ...phone });

test.each(PROVISIONING_NAMES)(
  'a proven phone of type %s that nothing is wrong with can do what its type can',
  (provisioning) => {
    for (const type of COMMAND_TYPES) {
      const strength = strengthOf(provisioning, COMMANDS[type].feature);
      const isPossible = strength === 'enforced' || strength === 'advisory';
      expect([type, can(type, { provisioning }).strength]).toEqual([type, isPossible ? strength : 'no']);
    }
  },
);

describe('of one very phone', () => {
  test('an agent that nobody vouches for enforces nothing for certain', () => {
    for (const type of COMMAND_TYPES) expect(can(type, { grade: 'none' }).strength).not.toBe('enforced');
    expect(can('lock', { grade: 'none' })).toEqual({ strength: 'unproven' });
    // Anybody makes himself certificates that hang together.
    expect(can('lock', { grade: 'software' })).toEqual({ strength: 'unproven' });
    expect(can('lock', { grade: 'none', provisioning: 'LINKFL' })).toEqual({ strength: 'advisory' });
    expect(can('lock', { grade: 'none', vendor: 'guard' })).toEqual({ strength: 'enforced' });
  });

  test('an agent that does not say which document it applied is unproven; one that said nothing yet is not', () => {
    expect(can('lock', { saysDigest: false })).toEqual({ strength: 'unproven' });
    expect(can('lock', { saysDigest: null })).toEqual({ strength: 'enforced' });
    expect(can('lock', { saysDigest: false, provisioning: 'LINKFL' })).toEqual({ strength: 'advisory' });
    expect(can('lock', { saysDigest: false, vendor: 'guard' })).toEqual({ strength: 'enforced' });
    expect(can('lock', { vendor: null })).toEqual({ strength: 'enforced' });
  });

  test('an agent that is no device owner reminds, and takes nothing', () => {
    expect(can('lock', { isOwner: false })).toEqual({ strength: 'advisory' });
    for (const type of ['app_lock', 'camera_lock', 'reboot'] as const)
      expect(can(type, { isOwner: false })).toEqual({ strength: 'no', why: 'devices.why.owner' });
  });

  test('an Android or an agent that is too old says so; one that does not say its age is not held to be old', () => {
    expect(can('app_lock', { androidApi: 23 })).toEqual({ strength: 'no', why: 'devices.why.android', needs: '7' });
    expect(can('app_lock', { androidApi: 24 }).strength).toBe('enforced');
    expect(can('app_lock', { androidApi: null }).strength).toBe('enforced');
    const old = { strength: 'no', why: 'devices.why.agent', needs: '1.0.0' };
    expect(can('emi_alert', { agentVersion: '0.12.9' })).toEqual(old);
    for (const agentVersion of ['1.0.0', '1.0.1', '10.0.0', null, 'built by hand'])
      expect(can('emi_alert', { agentVersion }).strength).toBe('enforced');
  });

  test('a vendor is asked for what it carries and nothing else, and an unknown one for nothing', () => {
    for (const type of COMMAND_TYPES) {
      const isCarried = (VENDORS.guard as readonly string[]).includes(type);
      expect([type, can(type, { vendor: 'guard' }).strength !== 'no']).toEqual([type, isCarried]);
      expect(can(type, { vendor: 'somebody' })).toEqual({ strength: 'no', why: 'devices.why.vendor' });
    }
  });

  test('what only lost mode can do says so', () => {
    expect(can('location', { provisioning: 'AMAPI' })).toEqual({
      strength: 'no',
      why: 'devices.why.AMAPI.fetch_location',
      onlyIn: 'lost_mode',
    });
  });

  test('neither age nor a lost ownership stands in the way of what is given back', () => {
    for (const type of COMMAND_TYPES.filter(isGivingBack))
      expect([type, can(type, { androidApi: 10, agentVersion: '0.0.1', isOwner: false }).strength]).toEqual([
        type,
        'enforced',
      ]);
  });

  test('a question goes to whoever carries it, what the phone is held to to the one in charge alone', () => {
    const guard: PhoneChannel = { ...proven, vendor: 'guard' };
    const vendor = { strength: 'no', why: 'devices.why.vendor' };
    for (const type of COMMAND_TYPES) {
      const among = capabilityAmong(type, [guard, proven]);
      const isQuestion = COMMANDS[type].kind === 'one-shot';
      expect([type, among]).toEqual([type, isQuestion ? can(type) : can(type, { vendor: 'guard' })]);
    }
    expect(capabilityAmong('reboot', [guard])).toEqual(vendor);
    expect(capabilityAmong('reboot', [guard, { ...proven, isOwner: false }])).toEqual(vendor);
  });
});
