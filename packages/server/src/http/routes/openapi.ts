import type { App } from '#server/http/app-types.ts';
import { openApiDocument } from '#server/http/openapi.ts';

export function registerOpenApiRoute({ fastify }: App): void {
  let text: Promise<string> | undefined;
  fastify.get('/api/openapi.json', async (_request, reply) => {
    text ??= openApiDocument().then((document) => JSON.stringify(document));
    return reply.type('application/json; charset=utf-8').send(await text);
  });
}
