import {
  AGENT_PATHS,
  checkinReplySchema,
  enrolReplySchema,
  pollReplySchema,
  provisioningQrSchema,
  tokenName,
} from '@kist/contract/agent';
import type { CheckinReply, EnrolRequest, ProvisioningQr, SetupRequest } from '@kist/contract/agent';
import { readEnrolmentLink } from '@kist/contract/linked-phone';
import { LIMITS } from '@kist/contract/limits';
import { z } from 'zod';
import { keyIdOf } from './keys.ts';
import { ForgedAnswer, proveAnswer, readJson, signRequest } from './wire.ts';
import type { PinnedKey, SignedRequest, Signer } from './wire.ts';

/** What the server holds a poll for, and a slow network's way there and back. */
const POLL_TIMEOUT_MS = (LIMITS.longPollS + 15) * 1000;

/** The server said no. `isProven`: with the pinned key and to this very question; otherwise `code` is for people only. */
export class Refused extends Error {
  readonly status: number;
  readonly code: string;
  readonly isProven: boolean;
  constructor(status: number, code: string, isProven: boolean) {
    super(`${status} ${code}`);
    this.status = status;
    this.code = code;
    this.isProven = isProven;
  }
}

/** One phone's way to its server. */
export interface ServerLink {
  checkin: (body: string) => Promise<CheckinReply>;
  /** @returns whether the server has something to say. */
  poll: () => Promise<boolean>;
  dispute: (text: string) => Promise<void>;
  /** Sends the very bytes of the last check-in again: a captured report. */
  replay: () => Promise<void>;
}

interface LinkOptions {
  serverUrl: string;
  signer: Signer;
  pinned: PinnedKey;
  /** Trusted time, for `created`. */
  nowMs: () => number;
  /** Aborts when the phone loses power or network. */
  signal: () => AbortSignal;
}

type EnrolReply = z.infer<typeof enrolReplySchema>;

const errorSchema = z.object({ code: z.string() });

async function send(serverUrl: string, request: SignedRequest, signal: AbortSignal, timeoutMs: number) {
  const response = await fetch(`${serverUrl}${request.path}`, {
    method: request.method,
    headers: request.headers,
    ...(request.method === 'POST' ? { body: request.body } : {}),
    signal: AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]),
  });
  const body = await response.text();
  return { status: response.status, header: (name: string) => response.headers.get(name), body };
}
type Answer = Awaited<ReturnType<typeof send>>;

function refusal(answer: Answer, isProven = false): Refused {
  const parsed = errorSchema.safeParse(readJson(answer.body));
  return new Refused(answer.status, parsed.success ? parsed.data.code : 'UNREADABLE', isProven);
}

function isProvenAnswer(pinned: PinnedKey, nonce: string, answer: Answer): boolean {
  try {
    proveAnswer(pinned, nonce, answer);
    return true;
  } catch {
    return false;
  }
}

/** @returns the server's time as its refusal of a stale request states it; undefined when it states none. */
function statedTimeMs(answer: Answer): number | undefined {
  const stated = answer.header('x-server-time');
  if (stated === null) return undefined;
  const ms = /^\d+$/.test(stated) ? Number(stated) : Date.parse(stated);
  return Number.isFinite(ms) ? ms : undefined;
}

export function createServerLink({ serverUrl, signer, pinned, nowMs, signal }: LinkOptions): ServerLink {
  /** A phone that was off for a week is a week behind: the refusal states the time, good for `created` and for nothing else. */
  let createdAheadMs = 0;
  let lastCheckin: SignedRequest | undefined;

  const call = async (method: 'GET' | 'POST', path: string, body: string, timeoutMs: number): Promise<unknown> => {
    for (const isLastTry of [false, true]) {
      const request = signRequest(signer, method, path, body, nowMs() + createdAheadMs);
      if (path === AGENT_PATHS.checkin) lastCheckin = request;
      const answer = await send(serverUrl, request, signal(), timeoutMs);
      const statedMs = statedTimeMs(answer);
      if (answer.status === 400 && statedMs !== undefined && !isLastTry) {
        createdAheadMs = statedMs - nowMs();
        continue;
      }
      if (answer.status !== 200) throw refusal(answer, isProvenAnswer(pinned, request.nonce, answer));
      proveAnswer(pinned, request.nonce, answer);
      return readJson(answer.body);
    }
    return undefined;
  };

  return {
    checkin: async (body) =>
      checkinReplySchema.parse(await call('POST', AGENT_PATHS.checkin, body, LIMITS.requestTimeoutMs)),
    poll: async () => pollReplySchema.parse(await call('GET', AGENT_PATHS.poll, '', POLL_TIMEOUT_MS)).wake,
    dispute: async (text) => {
      await call('POST', AGENT_PATHS.dispute, JSON.stringify({ text }), LIMITS.requestTimeoutMs);
    },
    replay: async () => {
      if (!lastCheckin) return;
      const answer = await send(serverUrl, lastCheckin, signal(), LIMITS.requestTimeoutMs);
      if (answer.status !== 200) throw refusal(answer);
    },
  };
}

/** The QR's text as a phone's setup reads it. */
function readQr(text: string): ProvisioningQr {
  const parsed = provisioningQrSchema.safeParse(readJson(text.trim()));
  if (!parsed.success)
    throw new Error('This is not a provisioning QR: scan the one on the customer’s page, or type its code.');
  return parsed.data;
}

/**
 * The code that was typed, for what the camera would have read. Nothing is pinned yet: that the answer is the server's stands on its address alone.
 * @throws Refused
 */
export async function askByCode(
  options: { serverUrl: string; signal: AbortSignal },
  request: SetupRequest,
): Promise<string> {
  const headers = { 'content-type': 'application/json' };
  const asked = { method: 'POST', path: AGENT_PATHS.setup, headers, body: JSON.stringify(request), nonce: '' } as const;
  const answer = await send(options.serverUrl, asked, options.signal, LIMITS.requestTimeoutMs);
  if (answer.status !== 200) throw refusal(answer);
  return answer.body;
}

/** Token, key and server of what a phone was given: the text of a QR, or the link of a phone in use. @throws Error in words when it is neither */
export function offerIn(text: string) {
  const extras = readEnrolmentLink(text) ?? readQr(text)['android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE'];
  return {
    serverUrl: extras['kist.server'].replace(/\/+$/, ''),
    token: extras['kist.token'],
    keyId: extras['kist.key_id'],
  };
}

/**
 * Enrols: the request is signed with the key it brings, under the token's first 16 characters. The answer must be signed by the key whose
 * hash stands in the QR; from then on that key is pinned.
 * @throws Refused, ForgedAnswer
 */
export async function enrol(
  options: { serverUrl: string; keyId: string; key: Signer['key']; nowMs: number; signal: AbortSignal },
  request: EnrolRequest,
): Promise<EnrolReply> {
  const signer = { keyid: tokenName(request.token), key: options.key };
  const body = JSON.stringify(request);
  let createdMs = options.nowMs;
  for (const isLastTry of [false, true]) {
    const signed = signRequest(signer, 'POST', AGENT_PATHS.enrol, body, createdMs);
    const answer = await send(options.serverUrl, signed, options.signal, LIMITS.requestTimeoutMs);
    const statedMs = statedTimeMs(answer);
    if (answer.status === 400 && statedMs !== undefined && !isLastTry) {
      createdMs = statedMs;
      continue;
    }
    if (answer.status !== 200 && answer.status !== 201) throw refusal(answer);
    const reply = enrolReplySchema.safeParse(readJson(answer.body));
    if (!reply.success) throw new ForgedAnswer('not an enrolment');
    const isNamedKey = keyIdOf(reply.data.server_key_spki) === options.keyId;
    if (!isNamedKey || reply.data.server_key_id !== options.keyId)
      throw new ForgedAnswer('another key than the QR names');
    proveAnswer({ keyId: options.keyId, spki: reply.data.server_key_spki }, signed.nonce, answer);
    return reply.data;
  }
  throw new ForgedAnswer('no answer');
}
