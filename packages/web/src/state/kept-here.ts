import { mayKeepOnDisk } from './storage.ts';

/**
 * @param safe the key of the sentence that says that something is safe on this phone.
 * @returns it where things are kept here; where nothing is, the key of the one that says so.
 */
export const keptHere = <Safe extends string>(safe: Safe): Safe | 'shell.memory_only' =>
  mayKeepOnDisk() ? safe : 'shell.memory_only';
