import { readFileSync } from 'node:fs';
import path from 'node:path';
import { AGENT_PATHS } from '@kist/contract/agent';
import { expect, test } from 'vitest';
import { contentDigest, isSignedBy, keyIdOf } from './keys.ts';
import { ForgedAnswer, openLease, proveAnswer } from './wire.ts';

interface Vector {
  name: string;
  body: string;
  signature_base: string;
  headers: Record<string, string>;
}
const vectors = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../../../docs/agent-vectors.json'), 'utf8'),
) as {
  keys: { phone: { public_key_spki: string }; server: { public_key_spki: string; key_id: string } };
  requests: (Vector & { path: string })[];
  replies: (Vector & { answers: string; status: number })[];
  lease: { is: unknown; signed: { key_id: string; payload: string; signature: string } };
};
const { key_id: keyId, public_key_spki: spki } = vectors.keys.server;
const pinned = { keyId, spki };
const nonceOf = (name: string) =>
  /nonce="([^"]+)"/.exec(vectors.requests.find((vector) => vector.name === name)!.headers['signature-input']!)![1]!;

test('the server key of the vectors is named by its hash', () => expect(keyIdOf(spki)).toBe(keyId));

test.each(vectors.requests)('a phone would send the question of the vectors: $name', ({ body, headers, ...vector }) => {
  expect(headers['content-digest']).toBe(contentDigest(body));
  expect(Object.values(AGENT_PATHS)).toContain(vector.path);
  const signature = Buffer.from(/^sig1=:(.+):$/.exec(headers['signature']!)![1]!, 'base64');
  expect(isSignedBy(vectors.keys.phone.public_key_spki, vector.signature_base, signature)).toBe(true);
});

test.each(vectors.replies)('a phone believes the answer of the vectors, and no byte less of it: $name', (vector) => {
  const { status, body, headers } = vector;
  const answer = { status, body, header: (name: string) => headers[name] ?? null };
  const nonce = nonceOf(vector.answers);
  expect(() => proveAnswer(pinned, nonce, answer)).not.toThrow();
  expect(() => proveAnswer(pinned, `${nonce}x`, answer)).toThrow(ForgedAnswer);
  expect(() => proveAnswer(pinned, nonce, { ...answer, status: status + 1 })).toThrow(ForgedAnswer);
  expect(() => proveAnswer(pinned, nonce, { ...answer, body: `${body} ` })).toThrow(ForgedAnswer);
});

test('a phone opens the lease of the vectors', () => {
  expect(openLease(pinned, vectors.lease.signed)).toEqual(vectors.lease.is);
});
