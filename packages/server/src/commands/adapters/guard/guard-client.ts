import type { Vendor } from '@kist/contract/capabilities';
import { INT4_MAX } from '@kist/contract/limits';
import { z } from 'zod';

/** This vendor's name in our books. */
export const VENDOR = 'guard' satisfies Vendor;

/** One organisation's account at the guard cloud. */
export interface GuardTenant {
  orgId: number;
  clientId: string;
  clientSecret: string;
  webhookSecret: string;
}

/** Text that the database can keep. Any other would end the statement that it stands in, and with it what is said of every phone beside it. */
export const keptText = (most: number) =>
  z
    .string()
    .max(most)
    .refine((text) => !text.includes('\0') && text.isWellFormed());
/** A revision of ours. */
export const versionSchema = z.int().min(0).max(INT4_MAX);
/** A word to branch on, which our books keep as the reason of a delay. */
const codeSchema = z.string().regex(/^[\w.:-]{1,100}$/);

const tokenSchema = z.object({ access_token: z.string(), expires_in: z.number() });
export const deviceSchema = z.object({
  device_id: keptText(64),
  imei: z.string().nullish(),
  serial: z.string().nullish(),
  state: z.enum(['pending', 'approved', 'enrolled', 'completed', 'removed']),
  target: z.object({ version: versionSchema, locked: z.boolean() }).nullable(),
  applied: z.object({ version: versionSchema, locked: z.boolean(), at: z.iso.datetime({ offset: true }) }).nullable(),
  last_seen_at: z.iso.datetime({ offset: true }).nullable(),
  sims: z.array(z.object({ slot: z.number(), iccid: keptText(100), operator: keptText(100) })),
});
export type GuardDevice = z.output<typeof deviceSchema>;
const transactionSchema = z.object({
  transaction_id: z.string(),
  status: z.enum(['pending', 'done']),
  results: z.array(
    z.object({
      device_id: keptText(64).optional(),
      status: z.enum(['ok', 'error']),
      code: codeSchema.optional().catch('UNKNOWN'),
    }),
  ),
});
export const begunSchema = z.object({ transaction_id: keptText(200) });
const refusalSchema = z.object({ code: codeSchema });

/** A refusal of the cloud, or its silence (`status` 0). `afterMs`: when it may be asked again. */
export class GuardError extends Error {
  readonly status: number;
  readonly code: string;
  readonly afterMs: number | undefined;
  constructor(status: number, code: string, afterMs?: number) {
    super(`the guard cloud says ${code}`);
    this.status = status;
    this.code = code;
    this.afterMs = afterMs;
  }
}

/** A vendor's answer that takes longer is none; with the token that it may need first, and once more where that is refused. An unlock waits for one at most. */
const ANSWERED_WITHIN_MS = 20_000;
/** A token is renewed so long before it ends: a call that begins with it must not end without it. */
const RENEW_MS = 60_000;

export interface GuardClient {
  /** @throws GuardError, ZodError (an answer that is not the protocol's) */
  ask<S extends z.ZodType>(schema: S, method: 'GET' | 'POST', path: string, body?: object): Promise<z.output<S>>;
}

/** Calls of one tenant, with its token, which lives half an hour and may die earlier. */
export function createGuardClient(url: string, tenant: GuardTenant, withinMs = ANSWERED_WITHIN_MS): GuardClient {
  let token: { text: string; untilMs: number } | undefined;
  const bearer = async (signal: AbortSignal): Promise<string> => {
    if (token && token.untilMs > Date.now()) return token.text;
    const { clientId: client_id, clientSecret: client_secret } = tenant;
    const path = `${url}/guard/v1/oauth/token`;
    const given = tokenSchema.parse(await send(signal, path, 'POST', {}, { client_id, client_secret }));
    token = { text: given.access_token, untilMs: Date.now() + given.expires_in * 1000 - RENEW_MS };
    return token.text;
  };
  return {
    ask: async (schema, method, path, body) => {
      const signal = AbortSignal.timeout(withinMs);
      const call = (text: string) => send(signal, `${url}${path}`, method, { authorization: `Bearer ${text}` }, body);
      const text = await bearer(signal);
      try {
        return schema.parse(await call(text));
      } catch (error) {
        // Whatever word it uses, also a gateway's before it: a token that is refused is asked for once more.
        if (!(error instanceof GuardError) || error.status !== 401) throw error;
        if (token?.text === text) token = undefined;
        return schema.parse(await call(await bearer(signal)));
      }
    },
  };
}

/** What the cloud does not know is nothing, and no trouble. */
export function nothingUnknown(error: unknown): undefined {
  if (!(error instanceof GuardError) || error.status !== 404) throw error;
}

/** The cloud's record of this phone: one that names another is nobody's answer, for what it says would be believed of this one. */
export const recordOf = (client: GuardClient, handle: string): Promise<GuardDevice> =>
  client.ask(
    deviceSchema.refine(({ device_id }) => device_id === handle),
    'GET',
    `/guard/v1/devices/${encodeURIComponent(handle)}`,
  );

/** What became of a bulk call, of this one and no other. */
export const transactionOf = (client: GuardClient, id: string): Promise<z.output<typeof transactionSchema>> =>
  client.ask(
    transactionSchema.refine(({ transaction_id }) => transaction_id === id),
    'GET',
    `/guard/v1/transactions/${encodeURIComponent(id)}`,
  );

async function send(
  signal: AbortSignal,
  url: string,
  method: string,
  headers: Record<string, string>,
  body?: object,
): Promise<unknown> {
  const request = {
    method,
    headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
    signal,
    ...(body && { body: JSON.stringify(body) }),
  };
  let response: Response;
  let text: string;
  try {
    response = await fetch(url, request);
    text = await response.text();
  } catch {
    throw new GuardError(0, 'NO_ANSWER');
  }
  const answer = parsed(text);
  if (!response.ok)
    throw new GuardError(response.status, refusalSchema.safeParse(answer).data?.code ?? 'UNKNOWN', afterMs(response));
  if (answer === undefined) throw new GuardError(0, 'NO_ANSWER');
  return answer;
}

/** A gateway before the cloud answers in words of its own: its status and headers are heard all the same. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `retry-after` is whole seconds or a date (RFC 9110); anything else says nothing. */
function afterMs({ headers }: Response): number | undefined {
  const said = headers.get('retry-after')?.trim() ?? '';
  if (/^\d+$/.test(said)) return Number(said) * 1000;
  const untilMs = /^[A-Z]/i.test(said) ? Date.parse(said) : Number.NaN;
  return Number.isNaN(untilMs) ? undefined : Math.max(0, untilMs - Date.now());
}
