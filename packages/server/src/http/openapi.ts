import swagger from '@fastify/swagger';
import { fastify as createFastify } from 'fastify';
import { jsonSchemaTransform, serializerCompiler, validatorCompiler } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { ENDPOINTS } from '@kist/contract/endpoints';
import type { Endpoint } from '@kist/contract/endpoint';
import { failureSchema, successSchema } from '@kist/contract/envelope';
import { ERRORS, type ErrorCode } from '@kist/contract/errors';
import { SPEC_PARAMETERS } from '@kist/contract/spec-parameters';

const COMMON: readonly ErrorCode[] = ['INVALID_INPUT', 'STALE_REQUEST', 'RATE_LIMITED', 'INTERNAL'];

const freshness = z
  .string()
  .regex(/^[0-9a-f]{32}:[0-9a-f]{32}$/)
  .describe(
    'hex(iv):hex(AES-256-CBC(decimal Unix ms)), key = SHA-256 of path and query as sent. Shows freshness only.',
  );
const idempotencyKey = z
  .uuid()
  .optional()
  .describe(
    'Made and stored by the client before its first try; the same key and body get the first reply again. Without one the value of x-emm-auth-session stands in.',
  );

/**
 * The OpenAPI 3.1 document of every call of the contract: `GET /api/openapi.json` and docs/openapi.json.
 * Generated on an application of its own, so it needs no database and names no call that the contract does not.
 */
export async function openApiDocument(): Promise<object> {
  const fastify = createFastify();
  fastify.setValidatorCompiler(validatorCompiler).setSerializerCompiler(serializerCompiler);
  await fastify.register(swagger, {
    openapi: {
      openapi: '3.1.0',
      info: {
        title: 'Kist',
        version: '1',
        description:
          'Phones sold on instalments, locked only when it is lawful. Success and failure share one envelope; programs branch on `code`. ' +
          `Every call takes these names in query and body and leaves those it has no use for: ${SPEC_PARAMETERS.join(', ')}.`,
      },
      components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } } },
    },
    transform: jsonSchemaTransform,
  });
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS))
    fastify.route({
      method: endpoint.method,
      url: endpoint.path,
      schema: schemaOf(name, endpoint),
      handler: () => undefined,
    });
  await fastify.ready();
  const document = fastify.swagger();
  await fastify.close();
  return document;
}

function schemaOf(name: string, endpoint: Endpoint): Record<string, unknown> {
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.path.split('/').filter((part) => part !== 'api')[1] ?? 'api'],
    ...(endpoint.auth === 'public' ? {} : { security: [{ session: [] }] }),
    ...(endpoint.multipart ? { consumes: ['multipart/form-data'] } : {}),
    ...(endpoint.params ? { params: endpoint.params } : {}),
    ...(endpoint.query ? { querystring: endpoint.query } : {}),
    ...(endpoint.body
      ? {
          body:
            endpoint.multipart && endpoint.body instanceof z.ZodObject
              ? endpoint.body.extend({ file: z.file() })
              : endpoint.body,
        }
      : {}),
    headers: z.object({
      'x-emm-auth-session': freshness,
      ...(endpoint.idempotent ? { 'idempotency-key': idempotencyKey } : {}),
    }),
    response: { 200: successSchema(endpoint.reply).describe('Done'), ...failures(endpoint) },
  };
}

/** The codes a call may answer with, by status. */
function failures(endpoint: Endpoint): Record<number, z.ZodType> {
  const codes = new Set<ErrorCode>([...COMMON, ...(endpoint.errors ?? [])]);
  if (endpoint.auth !== 'public') codes.add('SESSION_REQUIRED');
  if (typeof endpoint.auth !== 'string') codes.add('FORBIDDEN');
  if (!('none' in endpoint.access)) codes.add('FEATURE_NOT_ALLOWED');
  if (endpoint.method === 'POST')
    for (const code of ['INVALID_JSON', 'REPLAYED_REQUEST', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      codes.add(code);
  if (endpoint.idempotent)
    for (const code of ['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_CONFLICT'] as const) codes.add(code);
  const statuses = [...new Set([...codes].map((code) => ERRORS[code].status))].toSorted((left, right) => left - right);
  return Object.fromEntries(
    statuses.map((status) => {
      const list = [...codes].filter((code) => ERRORS[code].status === status).toSorted();
      return [status, failureSchema.extend({ code: z.enum(list) }).describe(list.join(', '))];
    }),
  );
}
