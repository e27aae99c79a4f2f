import { describe, expect, test } from 'vitest';
import { PROVISIONING_NAMES, type PlanName } from '@kist/contract/codes';
import { COMMANDS, COMMAND_TYPES, type CommandType } from '@kist/contract/commands';
import {
  ACTION_MATRIX,
  FEATURES,
  FEATURE_MATRIX,
  type Feature,
  type FeatureCell,
  TAKES_ORDERS,
  featuresFor,
} from '@kist/contract/features';
import { isOffered } from '@kist/contract/offered';
import { LOCK_STATES, STATUSES, isOfferedBySentences } from '#test/feature-sentences.ts';

const PLANS = ['DPC', 'APPLE', 'OLD_FL'] as const satisfies readonly PlanName[];
const LISTS = [undefined, 'with', 'without'] as const;
const CELLS: FeatureCell[] = PROVISIONING_NAMES.flatMap((provisioning) =>
  LOCK_STATES.flatMap((lockState) =>
    STATUSES.flatMap((status) => PLANS.map((plan) => ({ provisioning, lockState, status, plan }))),
  ),
);
/** What takes something off the phone again, by its name. */
const GIVES_BACK = /^(unlock|remove_.*|.*_unlock|.*_unhide)$/;

/** An organisation's list that names this feature, or every one but this. */
const listOf = (feature: Feature, list: (typeof LISTS)[number]): readonly Feature[] | undefined =>
  list === undefined ? undefined : list === 'with' ? [feature] : FEATURES.filter((one) => one !== feature);

type OfFeature = (feature: Feature, cell: FeatureCell, allowed?: readonly Feature[]) => boolean;
type OfCommand = typeof isOffered;
const offersFeature: OfFeature = (feature, cell, allowed) => {
  const { toggles, actions } = featuresFor(cell, allowed);
  return [...toggles, ...actions].includes(feature);
};

const name = (what: string, { provisioning, lockState, status, plan }: FeatureCell, list: string | undefined) =>
  `${what} ${provisioning} ${lockState} ${status} ${plan} ${list ?? ''}`;

/** @returns every place in which the answers differ from the sentences. */
function differences(ofFeature: OfFeature, ofCommand: OfCommand): string[] {
  const found: string[] = [];
  for (const cell of CELLS)
    for (const list of LISTS) {
      for (const feature of FEATURES)
        if (ofFeature(feature, cell, listOf(feature, list)) !== isOfferedBySentences(feature, cell, list))
          found.push(name(feature, cell, list));
      for (const type of COMMAND_TYPES) {
        const { feature } = COMMANDS[type];
        const expected = GIVES_BACK.test(type) || isOfferedBySentences(feature, cell, list);
        if (ofCommand(type, cell, listOf(feature, list)) !== expected) found.push(name(`order ${type}`, cell, list));
      }
    }
  return found;
}

test('every feature and every order is offered in exactly the cells of the specification', () => {
  // 4 types × 2 lock states × 7 statuses × 3 plans × {no list, one with it, one without it}
  expect(CELLS.length * LISTS.length).toBe(504);
  expect(differences(offersFeature, isOffered)).toEqual([]);
});

describe('a table with one mistake in it is caught', () => {
  /** Changes the real table, asks, and puts it back. */
  const planted = (plant: () => () => void): string[] => {
    const undo = plant();
    try {
      return differences(offersFeature, isOffered);
    } finally {
      undo();
    }
  };
  const cell =
    (
      matrix: typeof FEATURE_MATRIX,
      provisioning: keyof typeof FEATURE_MATRIX,
      lockState: 'locked' | 'unlocked',
      change: (list: readonly Feature[]) => Feature[],
    ) =>
    () => {
      const row = matrix[provisioning];
      const before = row[lockState];
      row[lockState] = change(before);
      return () => void (row[lockState] = before);
    };
  const plus =
    (...more: Feature[]) =>
    (list: readonly Feature[]) => [...list, ...more];
  const minus = (gone: Feature) => (list: readonly Feature[]) => list.filter((one) => one !== gone);
  const status = (code: keyof typeof TAKES_ORDERS, takes: boolean) => () => {
    const before = TAKES_ORDERS[code];
    TAKES_ORDERS[code] = takes;
    return () => void (TAKES_ORDERS[code] = before);
  };

  test.each<[string, () => () => void]>([
    ['a locked DPC phone offers its camera', cell(FEATURE_MATRIX, 'DPC', 'locked', plus('camera_lock'))],
    ['a locked iPhone offers tracking', cell(FEATURE_MATRIX, 'APPLE', 'locked', plus('tracking'))],
    ['a locked linked phone does not offer tracking', cell(FEATURE_MATRIX, 'LINKFL', 'locked', minus('tracking'))],
    ['DPC shows lost_mode', cell(FEATURE_MATRIX, 'DPC', 'unlocked', plus('lost_mode'))],
    ['DPC hides outgoing_call', cell(FEATURE_MATRIX, 'DPC', 'unlocked', minus('outgoing_call'))],
    ['AMAPI shows tracking', cell(FEATURE_MATRIX, 'AMAPI', 'unlocked', plus('tracking'))],
    ['AMAPI hides the wallpaper', cell(FEATURE_MATRIX, 'AMAPI', 'unlocked', minus('wallpaper'))],
    ['LINKFL offers app_lock', cell(FEATURE_MATRIX, 'LINKFL', 'unlocked', plus('app_lock'))],
    ['LINKFL hides accessibility', cell(FEATURE_MATRIX, 'LINKFL', 'unlocked', minus('accessibility_on_off'))],
    ['an iPhone hides lost_mode', cell(FEATURE_MATRIX, 'APPLE', 'unlocked', minus('lost_mode'))],
    ['a locked linked phone restarts', cell(ACTION_MATRIX, 'LINKFL', 'locked', plus('reboot'))],
    ['a locked iPhone tells its place', cell(ACTION_MATRIX, 'APPLE', 'locked', plus('fetch_location'))],
    ['a locked DPC phone is alerted', cell(ACTION_MATRIX, 'DPC', 'locked', plus('emi_alert'))],
    ['AMAPI shows miui_permission', cell(ACTION_MATRIX, 'AMAPI', 'unlocked', plus('miui_permission'))],
    ['LINKFL is not alerted', cell(ACTION_MATRIX, 'LINKFL', 'unlocked', minus('emi_alert'))],
    ['an uninstalled phone takes orders', status(3, true)],
    ['an iPhone without its profile takes orders', status(4, true)],
    ['a released phone takes orders', status(2, true)],
    ['a paid phone takes orders', status(5, true)],
    ['the last EMI near, no orders', status(6, false)],
  ])('%s', (_mistake, plant) => {
    expect(planted(plant)).not.toEqual([]);
    expect(differences(offersFeature, isOffered)).toEqual([]);
  });

  const gives = (type: CommandType) => GIVES_BACK.test(type);
  test.each<[string, OfFeature, OfCommand]>([
    [
      'giving back is judged like any order',
      offersFeature,
      (type, at, allowed) => offersFeature(COMMANDS[type].feature, at, allowed),
    ],
    [
      'the camera is not given back on a locked phone',
      offersFeature,
      (type, at, allowed) => !(type === 'camera_unlock' && at.lockState === 'locked') && isOffered(type, at, allowed),
    ],
    [
      'an uninstalled phone is not unlocked',
      offersFeature,
      (type, at, allowed) => !(gives(type) && at.status === 3) && isOffered(type, at, allowed),
    ],
    ['taking is exempt too', offersFeature, (type, at, allowed) => type === 'app_lock' || isOffered(type, at, allowed)],
    [
      'an organisation’s list adds to the matrix',
      (feature, at, allowed) => offersFeature(feature, at) || offersFeature(feature, at, allowed),
      isOffered,
    ],
    [
      'an organisation’s list counts for unlocked phones only',
      (feature, at, allowed) => offersFeature(feature, at, at.lockState === 'locked' ? undefined : allowed),
      isOffered,
    ],
    [
      'an organisation’s list overrides the status',
      (feature, at, allowed) => offersFeature(feature, allowed ? { ...at, status: 1 } : at, allowed),
      isOffered,
    ],
    [
      'an OLD_FL phone is any linked phone',
      (feature, at, allowed) => offersFeature(feature, { ...at, plan: 'LINKFL' }, allowed),
      isOffered,
    ],
    [
      'the order that was given counts, not what the phone says',
      (feature, at, allowed) => offersFeature(feature, { ...at, lockState: 'unlocked' }, allowed),
      isOffered,
    ],
  ])('%s', (_mistake, ofFeature, ofCommand) => {
    expect(differences(ofFeature, ofCommand)).not.toEqual([]);
  });
});
