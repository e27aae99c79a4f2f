import type { FastifyInstance } from 'fastify';
import { KistError } from '@kist/contract/errors';

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

/**
 * Lets the routes of a scope answer under this machine's own names and the given ones only: a stranger's page may point its name at this machine (DNS
 * rebinding), and its visitor's browser would then read here what is shown to whoever sits at it.
 * @param hostNames without ports
 */
export function answerOnlyAs(scope: FastifyInstance, hostNames: readonly string[]): void {
  const known = new Set([...LOOPBACK, ...hostNames.map((name) => name.toLowerCase())]);
  scope.addHook('onRequest', async (request) => {
    const url = `http://${request.headers.host ?? ''}`;
    if (!URL.canParse(url) || !known.has(new URL(url).hostname))
      throw new KistError('NOT_FOUND', { internal: 'asked for under another name than this machine’s' });
  });
}
