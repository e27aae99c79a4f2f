import type { App } from '#server/http/app-types.ts';
import { openApiDocument } from '#server/http/openapi.ts';

export function registerOpenApiRoute({ fastify }: App): void {
  let text: string | undefined;
  fastify.get('/api/openapi.json', async (_request, reply) => {
    text ??= JSON.stringify(openApiDocument());
    return reply.type('application/json; charset=utf-8').send(text);
  });
}
