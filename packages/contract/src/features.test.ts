import { describe, expect, it } from 'vitest';
import {
  PLAN,
  PLAN_NAMES,
  PROVISIONING,
  PROVISIONING_NAMES,
  type PlanName,
  type ProvisioningName,
  planName,
  provisioningName,
} from './codes.ts';
import { COMMANDS, COMMAND_TYPES, strengthOf } from './commands.ts';
import { ACTION_MATRIX, FEATURES, FEATURE_MATRIX, type Feature, editActionsFor, featuresFor } from './features.ts';

const unlocked = (type: ProvisioningName) => FEATURE_MATRIX[type].unlocked;
const has = (list: readonly string[], ...names: readonly string[]) => names.map((name) => list.includes(name));

describe('the specification’s numbers', () => {
  it('of provisioning and of plans are to the letter, and the two never mix', () => {
    expect(PROVISIONING).toEqual({ DPC: 0, AMAPI: 1, LINKFL: 2, APPLE: 3 });
    expect(PLAN).toEqual({
      DPC: 0,
      LINKFL: 1,
      APPLE: 2,
      ANTI_THEFT: 4,
      EXTENDED_WARRANTY: 5,
      OLD_FL: 6,
      FAMILYCARE: 7,
      ANTIHACKING: 8,
      DPC_ANTITHEFT: 9,
      ANTIHACKING_PRO: 12,
      ANTIHACKING_PREMIUM: 13,
    });
    expect([provisioningName(2), planName(2), provisioningName(9), planName(3)]).toEqual([
      'LINKFL',
      'APPLE',
      undefined,
      undefined,
    ]);
  });
  it('count 26 features by their own names', () => {
    expect(new Set(FEATURES).size).toBe(26);
  });
});

describe('a locked phone', () => {
  it.each(['DPC', 'AMAPI', 'LINKFL'] as const)('of type %s offers only lock and tracking', (type) => {
    expect(FEATURE_MATRIX[type].locked).toEqual(['lock', 'tracking']);
  });
  it('of type APPLE offers lock only', () => {
    expect(FEATURE_MATRIX.APPLE.locked).toEqual(['lock']);
  });
  it.each([
    ['DPC', ['fetch_location', 'sim_info', 'reboot']],
    ['AMAPI', ['fetch_location', 'sim_info', 'reboot']],
    ['LINKFL', ['sim_info', 'fetch_location']],
    ['APPLE', ['reboot', 'sim_info']],
  ] as const)('of type %s has the actions %j', (type, actions) => {
    expect(ACTION_MATRIX[type].locked).toEqual(actions);
  });
});

describe('an unlocked phone', () => {
  it.each(['DPC', 'AMAPI'] as const)('of type %s hides lost_mode and accessibility', (type) => {
    expect(has(unlocked(type), 'lost_mode', 'accessibility_on_off')).toEqual([false, false]);
  });
  it.each([
    'tracking',
    'app_hide_unhide',
    'bluetooth_lock_unlock',
    'wifi_on_off',
    'airplane_mode_on_off',
    'sim_tracking_online',
    'sim_tracking_offline',
  ] as const)('of type AMAPI also hides %s, which DPC shows', (feature) => {
    expect([unlocked('AMAPI').includes(feature), unlocked('DPC').includes(feature)]).toEqual([false, true]);
  });
  it('shows outgoing call on DPC only', () => {
    expect(PROVISIONING_NAMES.filter((type) => unlocked(type).includes('outgoing_call'))).toEqual(['DPC']);
  });
  it('of type LINKFL allows lock, tracking and accessibility', () => {
    expect(unlocked('LINKFL')).toEqual(['lock', 'tracking', 'accessibility_on_off']);
  });
  it('of type APPLE allows lock, lost_mode, usb_debugging, camera_lock and app_lock', () => {
    expect(unlocked('APPLE')).toEqual(['lock', 'lost_mode', 'usb_debugging', 'camera_lock', 'app_lock']);
  });
  it('of type LINKFL and APPLE has the actions that the specification lists', () => {
    expect(ACTION_MATRIX.LINKFL.unlocked).toEqual(['sim_info', 'fetch_location', 'emi_alert', 'uninstall']);
    expect(ACTION_MATRIX.APPLE.unlocked).toEqual(['fetch_location', 'reboot', 'uninstall', 'sim_info']);
  });
  it('of type AMAPI hides miui_permission, which DPC shows', () => {
    expect([
      ACTION_MATRIX.AMAPI.unlocked.includes('miui_permission'),
      ACTION_MATRIX.DPC.unlocked.includes('miui_permission'),
    ]).toEqual([false, true]);
  });
});

describe('an organisation’s own list', () => {
  it('replaces the matrix, in whatever state the phone is', () => {
    const allowed: Feature[] = ['lock', 'reboot', 'camera_lock'];
    for (const state of ['locked', 'unlocked'] as const)
      expect(featuresFor({ provisioning: 'LINKFL', lockState: state, status: 1, plan: 'LINKFL' }, allowed)).toEqual({
        toggles: ['lock', 'camera_lock'],
        actions: ['reboot'],
      });
  });
});

describe('edit options by plan', () => {
  it('of DPC_ANTITHEFT are IMEI edit and the QR code', () => {
    expect(editActionsFor('DPC_ANTITHEFT')).toEqual(['IMEI_EDIT', 'EMM_QR_CODE']);
  });
  it('of APPLE have check-status and no QR code', () => {
    expect(has(editActionsFor('APPLE'), 'CHECK_STATUS', 'EMM_QR_CODE')).toEqual([true, false]);
  });
  it.each(PLAN_NAMES.filter((plan: PlanName) => plan !== 'DPC_ANTITHEFT' && plan !== 'APPLE'))(
    'of %s have the QR code and no check-status',
    (plan) => {
      expect(has(editActionsFor(plan), 'CHECK_STATUS', 'EMM_QR_CODE')).toEqual([false, true]);
    },
  );
});

describe('commands', () => {
  it('each concern a feature of the specification, and a phone that can lock can be unlocked', () => {
    for (const type of COMMAND_TYPES) expect(FEATURES).toContain(COMMANDS[type].feature);
    for (const type of PROVISIONING_NAMES) expect(strengthOf(type, 'unlock')).toBe(strengthOf(type, 'lock'));
  });
  it('say of a place that Google’s and Apple’s phones tell it in lost mode only, and not that they never do', () => {
    const places = Object.fromEntries(PROVISIONING_NAMES.map((type) => [type, strengthOf(type, 'fetch_location')]));
    expect(places).toEqual({ DPC: 'enforced', AMAPI: 'lost_mode', LINKFL: 'advisory', APPLE: 'lost_mode' });
  });
  it('never claim that a linked phone enforces anything', () => {
    expect(FEATURES.filter((feature) => strengthOf('LINKFL', feature) === 'enforced')).toEqual([]);
  });
});
