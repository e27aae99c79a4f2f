import { VENDORS } from '@kist/contract/capabilities';
import { COMMANDS, COMMAND_NEXT, COMMAND_STATES, COMMAND_TYPES, type CommandState } from '@kist/contract/commands';
import { listed } from '#server/platform/sql-words.ts';

/**
 * Whether a phone is where a state order wants it, by what the order writes of the document. A type that the table does not know is never there.
 * @param of SQL: the order's type; whether the level is reached; the switches as jsonb, reported and desired
 */
export function isThereSql(of: { type: string; level: string; reported: string; desired: string }): string {
  const states = COMMAND_TYPES.filter((type) => COMMANDS[type].kind === 'state');
  const parts = [...new Set(states.flatMap((type) => COMMANDS[type].part ?? []))];
  const whens = parts.map((part) => {
    const types = listed(states.filter((type) => COMMANDS[type].part === part));
    const is = part === 'level' ? of.level : `${of.reported} -> '${part}' = ${of.desired} -> '${part}'`;
    return `when ${of.type} in (${types}) then ${is}`;
  });
  return `case ${whens.join(' ')} else false end`;
}

/**
 * Whether an order of this type gives something back. That a phone is free is never held against the digest that it says: such an order is done when level
 * or switch are as asked under its number, and the document that does not fit is healed beside it.
 */
export const givesBackSql = (type: string): string =>
  `${type} in (${listed(COMMAND_TYPES.filter((one) => COMMANDS[one].kind === 'state' && COMMANDS[one].restricts === 'nothing'))})`;

/** Whether a vendor carries orders of a type to its phones (VENDORS); one that nobody knows carries none. */
export function isCarriedSql(vendor: string, type: string): string {
  const whens = Object.entries(VENDORS).map(
    ([name, types]) => `when '${name}' then ${types === 'all' ? 'true' : `${type} in (${listed(types)})`}`,
  );
  return `case ${vendor} ${whens.join(' ')} else false end`;
}

/** Whether the phone's result proves an order of this type. */
export const isProvenByResultSql = (type: string): string =>
  `${type} in (${listed(COMMAND_TYPES.filter((one) => COMMANDS[one].confirmedBy === 'result'))})`;

const stored = COMMAND_STATES.filter((state) => state !== 'CREATED');
const whoseNext = (state: CommandState): string => listed(stored.filter((one) => COMMAND_NEXT[one].includes(state)));
/** The states of an order that something may still come of, as SQL lists them. */
export const OPEN_COMMANDS = listed(stored.filter((state) => COMMAND_NEXT[state].length > 0));
/** Those of an order that the phone has not got yet. */
export const UNDELIVERED_COMMANDS = whoseNext('DELIVERED');
/** Those of an order that time ends. */
export const EXPIRING_COMMANDS = whoseNext('EXPIRED');
