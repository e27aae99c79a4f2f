import { VENDORS } from '@kist/contract/capabilities';
import { COMMANDS, COMMAND_TYPES, type CommandType } from '@kist/contract/commands';

const listOf = (types: readonly CommandType[]): string => types.map((type) => `'${type}'`).join(', ');

/**
 * Whether a phone is where a state order wants it, by what the order writes of the document. A type that the table does not know is never there.
 * @param of SQL: the order's type; whether the level is reached; the switches as jsonb, reported and desired
 */
export function isThereSql(of: { type: string; level: string; reported: string; desired: string }): string {
  const states = COMMAND_TYPES.filter((type) => COMMANDS[type].kind === 'state');
  const parts = [...new Set(states.flatMap((type) => COMMANDS[type].part ?? []))];
  const whens = parts.map((part) => {
    const types = listOf(states.filter((type) => COMMANDS[type].part === part));
    const is = part === 'level' ? of.level : `${of.reported} -> '${part}' = ${of.desired} -> '${part}'`;
    return `when ${of.type} in (${types}) then ${is}`;
  });
  return `case ${whens.join(' ')} else false end`;
}

/** Whether a vendor carries orders of a type to its phones (VENDORS); one that nobody knows carries none. */
export function isCarriedSql(vendor: string, type: string): string {
  const whens = Object.entries(VENDORS).map(
    ([name, types]) => `when '${name}' then ${types === 'all' ? 'true' : `${type} in (${listOf(types)})`}`,
  );
  return `case ${vendor} ${whens.join(' ')} else false end`;
}

/** Whether the phone's result proves an order of this type. */
export const isProvenByResultSql = (type: string): string =>
  `${type} in (${listOf(COMMAND_TYPES.filter((one) => COMMANDS[one].confirmedBy === 'result'))})`;
