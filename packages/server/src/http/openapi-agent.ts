import { z } from 'zod';
import {
  AGENT_PATHS,
  agentDisputeSchema,
  checkinReplySchema,
  checkinRequestSchema,
  enrolReplySchema,
  enrolRequestSchema,
  pollReplySchema,
  provisioningQrSchema,
  setupRequestSchema,
} from '@kist/contract/agent';
import { ERRORS, type ErrorCode } from '@kist/contract/errors';
import { LINKED_AGENT_PATH } from '@kist/contract/linked-phone';

/** How a call proves who asks: not at all, by the key that it brings, or by the key of an enrolled phone. */
type Proof = 'none' | 'brings' | 'phone';
interface AgentCall {
  path: string;
  method: 'get' | 'post';
  name: string;
  summary: string;
  proof: Proof;
  asks?: z.ZodType;
  answers: z.ZodType;
  errors: readonly ErrorCode[];
}

const ENROLMENT: readonly ErrorCode[] = [
  'ENROLMENT_TOKEN_USED',
  'ENROLMENT_TOKEN_EXPIRED',
  'ENROLMENT_PHONE_MISMATCH',
  'STATE_CONFLICT',
];
const BODY: readonly ErrorCode[] = ['INVALID_JSON', 'INVALID_INPUT', 'TOO_LARGE'];
const SIGNED: readonly ErrorCode[] = ['AGENT_SIGNATURE_INVALID', 'STALE_REQUEST', 'AGENT_REPLAYED', 'AGENT_UNKNOWN'];
const ALWAYS: readonly ErrorCode[] = ['RATE_LIMITED', 'UNAVAILABLE'];
const serverKey = z.strictObject({ server_key_id: z.string(), server_key_spki: z.string() });

const poll = { path: AGENT_PATHS.poll, proof: 'phone', answers: pollReplySchema, errors: [] } as const;
const CALLS: readonly AgentCall[] = [
  {
    path: AGENT_PATHS.setup,
    method: 'post',
    name: 'agentSetup',
    summary: 'A phone on which the code was typed gets what the QR says',
    proof: 'none',
    asks: setupRequestSchema,
    answers: provisioningQrSchema,
    errors: [...BODY, 'AGENT_UNKNOWN'],
  },
  {
    path: AGENT_PATHS.enrol,
    method: 'post',
    name: 'agentEnrol',
    summary: 'A phone brings its key and is the agreement’s phone from then on',
    proof: 'brings',
    asks: enrolRequestSchema,
    answers: enrolReplySchema,
    errors: [...BODY, ...ENROLMENT],
  },
  {
    path: AGENT_PATHS.checkin,
    method: 'post',
    name: 'agentCheckin',
    summary: 'A phone says what it is and hears what it shall be',
    proof: 'phone',
    asks: checkinRequestSchema,
    answers: checkinReplySchema,
    errors: BODY,
  },
  { ...poll, method: 'get', name: 'agentPoll', summary: 'Held until there is something for the phone' },
  { ...poll, method: 'post', name: 'agentPollPosted', summary: 'The same, where a GET is kept by something between' },
  {
    path: AGENT_PATHS.dispute,
    method: 'post',
    name: 'agentDispute',
    summary: 'Its holder says that the lock is wrong',
    proof: 'phone',
    asks: agentDisputeSchema,
    answers: z.strictObject({}),
    errors: BODY,
  },
  {
    path: AGENT_PATHS.key,
    method: 'get',
    name: 'agentKey',
    summary: 'The server’s public key, for agents that are set up by hand',
    proof: 'none',
    answers: serverKey,
    errors: [],
  },
];

/** The three headers of RFC 9421 and RFC 9530, in the one form that docs/agent-protocol.md gives. */
const SIGNATURE_HEADERS = ['content-digest', 'signature-input', 'signature'] as const;
const text = { type: 'string' } as const;

/** @returns the phones' calls as OpenAPI knows them; what a signature is made of stands in docs/agent-protocol.md */
export function agentPaths(): Record<string, Record<string, object>> {
  const paths: Record<string, Record<string, object>> = {};
  for (const call of CALLS) paths[call.path] = { ...paths[call.path], [call.method]: operation(call) };
  paths[LINKED_AGENT_PATH] = {
    get: {
      operationId: 'linkedAgent',
      summary: 'Where a phone in use fetches its agent; what stands behind # of the customer’s link is never sent',
      tags: ['agent'],
      responses: { 302: { description: 'To the agent’s package', headers: { location: { schema: text } } } },
    },
  };
  return paths;
}

function operation({ name, summary, proof, asks, answers, errors }: AgentCall): object {
  const codes = [...new Set([...errors, ...(proof === 'none' ? [] : SIGNED), ...ALWAYS])];
  const statuses = [...new Set(codes.map((code) => ERRORS[code].status))].toSorted((left, right) => left - right);
  return {
    operationId: name,
    summary,
    tags: ['agent'],
    ...(asks && { requestBody: { required: true, content: { 'application/json': { schema: shape(asks, 'input') } } } }),
    parameters: proof === 'none' ? [] : SIGNATURE_HEADERS.map((header) => parameter(header)),
    responses: {
      200: signed('Done', shape(answers, 'output')),
      ...Object.fromEntries(
        statuses.map((status) => {
          const list = codes.filter((code) => ERRORS[code].status === status).toSorted();
          return [status, signed(list.join(', '), refusal(list))];
        }),
      ),
    },
  };
}

const parameter = (name: string) => ({ schema: text, in: 'header', name, required: true });
const signed = (description: string, schema: object) => ({
  description,
  headers: Object.fromEntries([...SIGNATURE_HEADERS, 'kist-nonce'].map((name) => [name, { schema: text }])),
  content: { 'application/json': { schema } },
});
const refusal = (codes: readonly ErrorCode[]) =>
  shape(
    z.object({
      status: z.int(),
      response: z.literal('failure'),
      message: z.string(),
      code: z.enum(codes as [ErrorCode, ...ErrorCode[]]),
      errors: z.array(z.object({ path: z.string(), message: z.string() })).optional(),
      details: z.record(z.string(), z.unknown()).optional(),
    }),
    'output',
  );

function shape(schema: z.ZodType, io: 'input' | 'output'): object {
  const { $schema: _dialect, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any', reused: 'inline' });
  return rest;
}
