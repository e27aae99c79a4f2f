import { COMMANDS, type CommandType } from './commands.ts';
import { type Feature, type FeatureCell, offersFeature } from './features.ts';

/**
 * Taking something off the phone again: unlock, every `*_unlock`, `remove_*`, a switch put back. Never refused by the matrix, whatever the phone's type,
 * state or status: a phone must not stay restricted because a table does not list the way back.
 */
export function isGivingBack(type: CommandType): boolean {
  const definition = COMMANDS[type];
  return definition.feature === 'unlock' || ('value' in definition && !definition.value);
}

const ORDERED: ReadonlySet<Feature> = new Set(Object.values(COMMANDS).map(({ feature }) => feature));

/** Whether there is an order for a feature yet: what the matrix offers and no call carries is not promised to anybody. */
export const isOrdered = (feature: Feature): boolean => ORDERED.has(feature);

/** Whether a shop is offered this order for a phone that stands there (specification, section 6). */
export const isOffered = (type: CommandType, cell: FeatureCell, allowed?: readonly Feature[]): boolean =>
  isGivingBack(type) || offersFeature(COMMANDS[type].feature, cell, allowed);
