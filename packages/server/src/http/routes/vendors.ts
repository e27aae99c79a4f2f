import type { FastifyInstance } from 'fastify';
import { LIMITS } from '@kist/contract/limits';
import type { Adapter } from '#server/commands/adapter.ts';

/** The doors of vendors, each as its adapter says. Raw bytes, for signatures are over bytes; a scope of their own, where no body is read otherwise. */
export function vendorRoutes(fastify: FastifyInstance, adapters: readonly Pick<Adapter, 'routes'>[]): void {
  const routes = adapters.flatMap((adapter) => adapter.routes ?? []);
  if (routes.length === 0) return;
  void fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: LIMITS.agentBodyBytes }, (_request, body, done) =>
      done(null, body),
    );
    for (const { method, path, handle } of routes) {
      scope.route({
        method,
        url: path,
        bodyLimit: LIMITS.agentBodyBytes,
        handler: async (request, reply) => {
          const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
          const answer = await handle({ body, headers: request.headers });
          return reply.code(answer.status).send(answer.body ?? {});
        },
      });
    }
  });
}
