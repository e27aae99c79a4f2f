import { readFileSync } from 'node:fs';
import { createECDH, createHash, createPrivateKey } from 'node:crypto';
import path from 'node:path';
import {
  ackSchema,
  agentDisputeSchema,
  agentEventSchema,
  checkinReplySchema,
  checkinRequestSchema,
  enrolReplySchema,
  enrolRequestSchema,
  leaseSchema,
  pollReplySchema,
} from '@kist/contract/agent';
import { COMMANDS } from '@kist/contract/commands';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { readClaim, signReply, verifyClaim } from './agent-signature.ts';
import { createServerKey, isSignedBy, publicKeyFrom } from './server-key.ts';

interface Vector {
  name: string;
  body: string;
  signature_base: string;
  headers: Record<string, string>;
}
const vectors = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../../../../docs/agent-vectors.json'), 'utf8'),
) as {
  keys: Record<'phone' | 'server', { private_number_is_sha256_of: string; public_key_spki: string; key_id?: string }>;
  requests: (Vector & { method: string; path: string })[];
  replies: (Vector & { answers: string; status: number })[];
  lease: { is: unknown; signed: { key_id: string; payload: string; signature: string } };
};
const phoneKey = publicKeyFrom(Buffer.from(vectors.keys.phone.public_key_spki, 'base64url'))!;
const serverKey = createServerKey(keyFrom(vectors.keys.server.private_number_is_sha256_of));

function keyFrom(sentence: string) {
  const d = createHash('sha256').update(sentence).digest();
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const coordinate = (from: number) => point.subarray(from, from + 32).toString('base64url');
  return createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x: coordinate(1), y: coordinate(33) },
    format: 'jwk',
  });
}
const asked = ({ method, path: at, body, headers }: (typeof vectors.requests)[number]) => ({
  method,
  path: at,
  body: Buffer.from(body),
  headers,
});

test.each(vectors.requests)('the server takes the question of the vectors: $name', (vector) => {
  const claim = readClaim(asked(vector));
  expect(claim.base).toBe(vector.signature_base);
  expect(() => verifyClaim(claim, phoneKey)).not.toThrow();
  const otherPath = readClaim({ ...asked(vector), path: `${vector.path}x` });
  expect(() => verifyClaim(otherPath, phoneKey)).toThrow('signature does not fit');
  expect(() => readClaim({ ...asked(vector), body: Buffer.from(`${vector.body} `) })).toThrow(
    'differs from its digest',
  );
});

test.each(vectors.replies)(
  'the server gives the answer of the vectors: $name',
  ({ answers, status, body, ...vector }) => {
    const nonce = readClaim(asked(vectors.requests.find(({ name }) => name === answers)!)).nonce;
    const created = Number(/created=(\d+)/.exec(vector.signature_base)![1]);
    const {
      signature,
      'x-server-time': _,
      ...headers
    } = signReply(serverKey, status, Buffer.from(body), nonce, created * 1000);
    const { signature: told, ...rest } = vector.headers;
    expect(headers).toEqual(rest);
    for (const made of [signature!, told!]) {
      const bytes = Buffer.from(/^sig1=:(.+):$/.exec(made)![1]!, 'base64');
      expect(serverKey.verify(vector.signature_base, bytes)).toBe(true);
    }
  },
);

const SHAPES: Record<string, z.ZodType> = {
  enrol: enrolRequestSchema,
  'first check-in': checkinRequestSchema,
  'check-in with news': checkinRequestSchema,
  dispute: agentDisputeSchema,
  enrolled: enrolReplySchema,
  'work to do': checkinReplySchema,
  'nothing new': checkinReplySchema,
  woken: pollReplySchema,
};
test.each(Object.entries(SHAPES))('what the vectors say is of the contract’s shape: %s', (name, schema) => {
  const { body } = [...vectors.requests, ...vectors.replies].find((vector) => vector.name === name)!;
  const said = JSON.parse(body) as unknown;
  expect(schema.parse(said)).toEqual(said);
});

test('the vectors show every order, every event and every word on an order', () => {
  const said = (name: string): unknown =>
    JSON.parse([...vectors.requests, ...vectors.replies].find((vector) => vector.name === name)!.body);
  const reply = checkinReplySchema.parse(said('work to do'));
  const report = checkinRequestSchema.parse(said('check-in with news'));
  const oneShots = Object.entries(COMMANDS).flatMap(([type, { kind }]) => (kind === 'one-shot' ? [type] : []));
  expect(reply.commands.map(({ type }) => type).toSorted()).toEqual(oneShots.toSorted());
  expect(report.events.map(({ kind }) => kind).toSorted()).toEqual(agentEventSchema.shape.kind.options.toSorted());
  expect(new Set(report.acks.map(({ status }) => status))).toEqual(new Set(ackSchema.shape.status.options));
  expect(reply.lease).toEqual(vectors.lease.signed);
});

test('the lease of the vectors is signed over its characters', () => {
  const { payload, signature, key_id: keyId } = vectors.lease.signed;
  expect(keyId).toBe(serverKey.keyId);
  expect(leaseSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))).toEqual(vectors.lease.is);
  expect(serverKey.verify(payload, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(isSignedBy(phoneKey, payload, Buffer.from(signature, 'base64url'))).toBe(false);
});
