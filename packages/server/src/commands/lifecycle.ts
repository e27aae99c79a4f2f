import { COMMANDS, type CommandType, COMMAND_TYPES } from '@kist/contract/commands';

/** Orders that contradict each other: only the one of the highest revision counts. Itself is one of them. */
export function familyOf(type: CommandType): CommandType[] {
  const definition = COMMANDS[type];
  if (definition.kind === 'one-shot') return [];
  if (!('toggle' in definition)) return ['lock', 'unlock'];
  return COMMAND_TYPES.filter((other) => {
    const candidate = COMMANDS[other];
    return 'toggle' in candidate && candidate.toggle === definition.toggle;
  });
}
