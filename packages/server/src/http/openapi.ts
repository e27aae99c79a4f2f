import { z } from 'zod';
import { ENDPOINTS } from '@kist/contract/endpoints';
import type { Endpoint } from '@kist/contract/endpoint';
import { failureSchema, successSchema } from '@kist/contract/envelope';
import { ERRORS, type ErrorCode } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import { sizeText } from '@kist/contract/sizes';
import { SPEC_PARAMETERS } from '@kist/contract/spec-parameters';
import { agentPaths } from './openapi-agent.ts';

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

/** The OpenAPI 3.1 document of every call of the contract and of the phones' own: `GET /api/openapi.json` and docs/openapi.json. */
export function openApiDocument(): object {
  const paths: Record<string, Record<string, object>> = {};
  for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
    const path = endpoint.path.replaceAll(/:(\w+)/g, '{$1}');
    paths[path] = { ...paths[path], [endpoint.method.toLowerCase()]: operation(name, endpoint) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Kist',
      version: '1',
      description:
        'Phones sold on instalments, locked only when it is lawful. Success and failure share one envelope; programs branch on `code`. ' +
        'Calls tagged `agent` are those of phones, signed as docs/agent-protocol.md says. ' +
        `Every other call takes these names in query and body and leaves those it has no use for: ${SPEC_PARAMETERS.join(', ')}.`,
    },
    components: { securitySchemes: { session: { type: 'http', scheme: 'bearer' } }, schemas: {} },
    paths: { ...paths, ...agentPaths() },
  };
}

function operation(name: string, endpoint: Endpoint): object {
  const headers = z.object({
    'x-emm-auth-session': freshness,
    ...(endpoint.idempotent ? { 'idempotency-key': idempotencyKey } : {}),
  });
  return {
    operationId: name,
    summary: endpoint.summary,
    tags: [endpoint.path.split('/').filter((part) => part !== 'api')[1] ?? 'api'],
    ...(endpoint.body ? { requestBody: requestBody(endpoint, endpoint.body) } : {}),
    parameters: [
      ...parameters('query', endpoint.query),
      ...parameters('path', endpoint.params),
      ...parameters('header', headers),
    ],
    ...(endpoint.auth === 'public' ? {} : { security: [{ session: [] }] }),
    responses: { 200: response('Done', successSchema(endpoint.reply)), ...failures(endpoint) },
  };
}

function requestBody({ multipart, bodyBytes = LIMITS.bodyBytes }: Endpoint, body: z.ZodType): object {
  const schema = multipart && body instanceof z.ZodObject ? body.extend({ file: z.file() }) : body;
  return {
    required: true,
    description: multipart
      ? `One file, of at most ${sizeText(LIMITS.uploadBytes)}.`
      : `At most ${sizeText(bodyBytes)}.`,
    content: { [multipart ? 'multipart/form-data' : 'application/json']: { schema: jsonSchema(schema, 'input') } },
  };
}

/** The fields of an object, each as the parameter that it is. */
function parameters(place: 'query' | 'path' | 'header', schema: z.ZodType | undefined): object[] {
  if (!schema) return [];
  const { properties = {}, required = [] } = jsonSchema(schema, 'input');
  return Object.entries(properties).map(([name, field]) => {
    const { description, ...rest } = field as z.core.JSONSchema.BaseSchema;
    return {
      schema: rest,
      in: place,
      name,
      required: required.includes(name),
      ...(description === undefined ? {} : { description }),
    };
  });
}

const response = (description: string, schema: z.ZodType): object => ({
  description,
  content: { 'application/json': { schema: jsonSchema(schema, 'output') } },
});

/** What a caller writes (`input`) or reads (`output`), in full wherever it stands. */
function jsonSchema(schema: z.ZodType, io: 'input' | 'output'): z.core.JSONSchema.BaseSchema {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    reused: 'inline',
    override: ({ zodSchema, jsonSchema }) => {
      // What may not stand there would read as anything.
      if (zodSchema._zod.def.type === 'undefined') jsonSchema.not = {};
    },
  });
  return rest;
}

/** The codes a call may answer with: its own, and those of every call of its kind. */
export function codesOf(endpoint: Endpoint): ReadonlySet<ErrorCode> {
  const codes = new Set<ErrorCode>([...COMMON, ...(endpoint.errors ?? [])]);
  if (endpoint.auth !== 'public') codes.add('SESSION_REQUIRED');
  if (typeof endpoint.auth !== 'string') codes.add('FORBIDDEN');
  if (!('none' in endpoint.access)) codes.add('FEATURE_NOT_ALLOWED');
  if (endpoint.method === 'POST')
    for (const code of ['INVALID_JSON', 'REPLAYED_REQUEST', 'TOO_LARGE', 'UNSUPPORTED_MEDIA_TYPE'] as const)
      codes.add(code);
  if (endpoint.idempotent)
    for (const code of ['IDEMPOTENCY_KEY_REQUIRED', 'IDEMPOTENCY_CONFLICT'] as const) codes.add(code);
  return codes;
}

/** The codes a call may answer with, by status. */
function failures(endpoint: Endpoint): Record<number, object> {
  const codes = codesOf(endpoint);
  const statuses = [...new Set([...codes].map((code) => ERRORS[code].status))].toSorted((left, right) => left - right);
  return Object.fromEntries(
    statuses.map((status) => {
      const list = [...codes].filter((code) => ERRORS[code].status === status).toSorted();
      return [status, response(list.join(', '), failureSchema.extend({ code: z.enum(list) }))];
    }),
  );
}
