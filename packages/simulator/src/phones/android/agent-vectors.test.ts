import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AGENT_PATHS } from '@kist/contract/agent';
import type { Lease } from '@kist/contract/agent';
import { expect, test } from 'vitest';
import { enrolled, leaseOf, newId, play, says } from '#simulator-test/android-play.ts';
import { contentDigest, isSignedBy, keyIdOf, policyDigest } from './keys.ts';
import { nextLeaseMoment } from './lease.ts';
import type { Agent, Phone } from './state.ts';
import { anchoredAtBoot, trustedNow, withServerTime } from './trusted-time.ts';
import { ForgedAnswer, openLease, proveAnswer } from './wire.ts';

interface LeaseCase {
  name: string;
  lease: Lease;
  now: string;
  shown: { no: number; at: string }[];
  taken: { at: string }[];
  is_disputed: boolean;
  claims: { due_since: string; said_at: string; told_at: string | null; is_answered: boolean }[];
  step: { level: number; at: string } | null;
}
interface Vector {
  name: string;
  body: string;
  signature_base?: string;
  headers: Record<string, string>;
}
const vectors = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../../../docs/agent-vectors.json'), 'utf8'),
) as {
  keys: Record<'phone' | 'next_phone', { public_key_spki: string }> & {
    server: { public_key_spki: string; key_id: string };
  };
  requests: (Vector & { path: string })[];
  replies: (Vector & { answers: string; status: number; is_thrown_away?: true })[];
  lease_cases: LeaseCase[];
  documents: { what: string; policy: object; digest: string }[];
  trusted_time: { what: string; elapsed_ms: number; off_at_ms?: number; server_time?: string; trusted: string }[];
  lease: { is: unknown; signed: { key_id: string; payload: string; signature: string } };
};
const { key_id: keyId, public_key_spki: spki } = vectors.keys.server;
const pinned = { keyId, spki };
const nonceOf = (name: string) =>
  /nonce="([^"]+)"/.exec(
    vectors.requests.find((vector) => vector.name === name)!.headers['signature-input'] ?? '',
  )?.[1] ?? '';

test('the server key of the vectors is named by its hash', () => expect(keyIdOf(spki)).toBe(keyId));

test.each(vectors.requests)('a phone would send the question of the vectors: $name', ({ body, headers, ...vector }) => {
  expect(Object.values(AGENT_PATHS)).toContain(vector.path);
  if (vector.signature_base === undefined) return expect(headers).toEqual({});
  expect(headers['content-digest']).toBe(contentDigest(body));
  const phone = vectors.keys[/again|new key/.test(vector.name) ? 'next_phone' : 'phone'];
  const signature = Buffer.from(/^sig1=:(.+):$/.exec(headers['signature']!)![1]!, 'base64');
  expect(isSignedBy(phone.public_key_spki, vector.signature_base, signature)).toBe(true);
});

/** Answers to a question without a nonce stand on their address alone for this phone. */
const toSigned = vectors.replies.filter(({ answers }) => nonceOf(answers) !== '');
test.each(toSigned)('a phone believes the answer of the vectors, and no byte less of it: $name', (vector) => {
  const { status, body, headers } = vector;
  const answer = { status, body, header: (name: string) => headers[name] ?? null };
  const nonce = nonceOf(vector.answers);
  if (vector.is_thrown_away) return expect(() => proveAnswer(pinned, nonce, answer)).toThrow(ForgedAnswer);
  expect(() => proveAnswer(pinned, nonce, answer)).not.toThrow();
  expect(() => proveAnswer(pinned, `${nonce}x`, answer)).toThrow(ForgedAnswer);
  expect(() => proveAnswer(pinned, nonce, { ...answer, status: status + 1 })).toThrow(ForgedAnswer);
  expect(() => proveAnswer(pinned, nonce, { ...answer, body: `${body} ` })).toThrow(ForgedAnswer);
});

test('a phone opens the lease of the vectors', () => {
  expect(openLease(pinned, vectors.lease.signed)).toEqual(vectors.lease.is);
});

/** A phone on which it was said to be paid, each time under a lease about that instalment. */
function claimedOf({ lease, claims }: LeaseCase): Phone {
  let seq = 0;
  const withLease = (phone: Phone, serverMs: number, due_since: string) =>
    play(phone, says({ serverMs, lease: leaseOf({ seq: (seq += 1), screen: { ...lease.screen!, due_since } }) }));
  return claims.reduce((before, { due_since, said_at, told_at, is_answered }) => {
    const phone = play(withLease(before, Date.parse(said_at), due_since), { kind: 'payment_claimed' });
    if (told_at === null) return phone;
    const serverMs = Date.parse(told_at);
    const sentEventIds = phone.agent!.events.map(({ id }) => id);
    const told = play(phone, says({ serverMs, sentEventIds }));
    return is_answered ? withLease(told, serverMs, due_since) : told;
  }, enrolled());
}

test.each(vectors.lease_cases)('a phone takes a step of the lease as the vectors do: $name', (one) => {
  const { lease, now, shown, taken, is_disputed: isDisputed, step } = one;
  const plannedAt = (no: number) => lease.notices.find((notice) => notice.no === no)!.at;
  const agent: Agent = {
    ...claimedOf(one).agent!,
    lease,
    noticesShown: shown.map(({ no, at }) => ({ no, plannedAt: plannedAt(no), shownAtMs: Date.parse(at) })),
    // What was due before is not what is asked here.
    remindersShown: lease.reminders.map(({ at, key }) => `${at}|${key}`),
    passed: taken.map(({ at }, index) => ({ level: lease.ladder[index]!.level, atMs: Date.parse(at) })),
    dispute: isDisputed ? { eventId: newId(), isSent: true } : null,
  };
  const moment = nextLeaseMoment(agent, Date.parse(now));
  const own = moment?.kind === 'step' ? { level: moment.level, at: new Date(moment.atMs).toISOString() } : null;
  expect(own).toEqual(step);
});

test.each(vectors.documents)('a phone says the digest of the vectors: $what', ({ policy, digest }) => {
  expect(policyDigest(policy)).toBe(digest);
});

test('a phone knows the time of the vectors', () => {
  let agent: Agent = { ...enrolled().agent!, serverHighMs: 0 };
  for (const { elapsed_ms: elapsed, off_at_ms: offAt, server_time: heard, trusted, what } of vectors.trusted_time) {
    if (offAt !== undefined) agent = anchoredAtBoot(agent, offAt);
    if (heard) agent = withServerTime(agent, Date.parse(heard), elapsed);
    expect([what, new Date(trustedNow(agent, elapsed)).toISOString()]).toEqual([what, trusted]);
  }
});
