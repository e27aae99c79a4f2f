import type { IncomingMessage } from 'node:http';
import { newId } from '#server/platform/ids.ts';

/** The caller's own name for a request where it has the form of one, else a new one. */
export const requestIdOf = ({ headers }: Pick<IncomingMessage, 'headers'>): string => {
  const given = headers['x-request-id'];
  return typeof given === 'string' && /^[\w-]{8,64}$/.test(given) ? given : newId();
};
