import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';

/** Browsers, phones and proxies ask one thing at a time of a connection. */
export const MOST_AT_ONCE = 4;

/**
 * Who asks for many things in one breath and takes none of the answers has all of them kept in memory for as long as the connection stands: it is ended with
 * the first question beyond what it may have open.
 */
export function limitPipelines(fastify: FastifyInstance): void {
  const open = new WeakMap<Socket, number>();
  fastify.addHook('onRequest', ({ raw: { socket } }, { raw: answer }, done) => {
    const here = (open.get(socket) ?? 0) + 1;
    open.set(socket, here);
    answer.once('close', () => open.set(socket, (open.get(socket) ?? 1) - 1));
    // No word of ours would come through: those before it are not taken.
    if (here > MOST_AT_ONCE) socket.destroy();
    done();
  });
}
