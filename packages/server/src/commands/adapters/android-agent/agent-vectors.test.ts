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
  keyidOf,
  leaseSchema,
  policyDigestSchema,
  pollReplySchema,
  provisioningQrSchema,
  setupRequestSchema,
} from '@kist/contract/agent';
import { COMMANDS } from '@kist/contract/commands';
import { readSetupCode } from '@kist/contract/setup-code';
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { lessOf } from '#server/commands/earlier-key.ts';
import { typedCode } from '#server/devices/codes.ts';
import { createTestDatabase } from '#test/database.ts';
import { agentPaths } from '#server/http/openapi-agent.ts';
import { readClaim, signReply, verifyClaim } from './agent-signature.ts';
import { createOffer } from './offer.ts';
import { type ServerKey, createServerKey, isSignedBy, publicKeyFrom } from './server-key.ts';

interface Vector {
  name: string;
  body: string;
  signature_base?: string;
  headers: Record<string, string>;
}
interface Said {
  private_number_is_sha256_of: string;
  public_key_spki: string;
  key_id?: string;
}
const vectors = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../../../../docs/agent-vectors.json'), 'utf8'),
) as {
  keys: Record<'phone' | 'next_phone' | 'server' | 'next_server', Said>;
  requests: (Vector & { method: string; path: string })[];
  replies: (Vector & { answers: string; status: number })[];
  documents: { what: string; policy: object; canonical: string; digest: string }[];
  lease: { is: unknown; signed: { key_id: string; payload: string; signature: string } };
};
const phoneKeys = [vectors.keys.phone, vectors.keys.next_phone].map(({ public_key_spki: spki }) =>
  publicKeyFrom(Buffer.from(spki, 'base64url'))!,
);
const [serverKey, nextServerKey] = [vectors.keys.server, vectors.keys.next_server].map((said) =>
  createServerKey(keyFrom(said.private_number_is_sha256_of)),
) as [ServerKey, ServerKey];

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

const bodyOf = (named: string): unknown =>
  JSON.parse([...vectors.requests, ...vectors.replies].find(({ name }) => name === named)!.body);
const isSigned = ({ signature_base: base }: Vector) => base !== undefined;
const phoneOf = ({ name }: Vector) => phoneKeys[/again|new key/.test(name) ? 1 : 0]!;

test.each(vectors.requests.filter(isSigned))('the server takes the question of the vectors: $name', (vector) => {
  const claim = readClaim(asked(vector));
  expect(claim.base).toBe(vector.signature_base);
  expect(() => verifyClaim(claim, phoneOf(vector))).not.toThrow();
  if (claim.publicKey)
    expect(claim.keyid).toBe(keyidOf(20, createHash('sha256').update(claim.publicKey).digest('base64url')));
  const otherPath = readClaim({ ...asked(vector), path: `${vector.path}x` });
  expect(() => verifyClaim(otherPath, phoneOf(vector))).toThrow('signature does not fit');
  expect(() => readClaim({ ...asked(vector), body: Buffer.from(`${vector.body} `) })).toThrow(
    'differs from its digest',
  );
});

test.each(vectors.replies.filter(isSigned))(
  'the server gives the answer of the vectors: $name',
  ({ answers, status, body, ...vector }) => {
    const question = vectors.requests.find(({ name }) => name === answers)!;
    const nonce = isSigned(question) ? readClaim(asked(question)).nonce : '';
    const created = Number(/created=(\d+)/.exec(vector.signature_base!)![1]);
    const key = [serverKey, nextServerKey].find(({ keyId }) => vector.signature_base!.includes(`keyid="${keyId}"`))!;
    const { signature, 'x-server-time': _, ...headers } = signReply(key, status, body, nonce, created * 1000);
    const { signature: told, ...rest } = vector.headers;
    expect(headers).toEqual(rest);
    for (const made of [signature!, told!]) {
      const bytes = Buffer.from(/^sig1=:(.+):$/.exec(made)![1]!, 'base64');
      expect(key.verify(vector.signature_base!, bytes)).toBe(true);
    }
  },
);

const SHAPES: Record<string, z.ZodType> = {
  'set up': setupRequestSchema,
  'what the camera would have read': provisioningQrSchema,
  enrol: enrolRequestSchema,
  'enrol again': enrolRequestSchema,
  'check-in under the new key': checkinRequestSchema,
  'check-in under the earlier key': checkinRequestSchema,
  'check-in under the name of an enrolment': checkinRequestSchema,
  'its state again': checkinReplySchema,
  'given back': checkinReplySchema,
  'enrolled again': enrolReplySchema,
  'first check-in': checkinRequestSchema,
  'check-in with news': checkinRequestSchema,
  dispute: agentDisputeSchema,
  enrolled: enrolReplySchema,
  'work to do': checkinReplySchema,
  'nothing new': checkinReplySchema,
  woken: pollReplySchema,
};
test.each(Object.entries(SHAPES))('what the vectors say is of the contract’s shape: %s', (name, schema) => {
  const said = bodyOf(name);
  expect(schema.parse(said)).toEqual(said);
});

const db = await createTestDatabase();
test.each(vectors.documents)('the database writes the document of the vectors: $what', async (one) => {
  const [row] = await db.asOwner<{ text: string; digest: Buffer }>(
    'select kist_jcs($1) as text, kist_digest($1) as digest',
    [JSON.stringify(one.policy)],
  );
  expect(row!.text).toBe(one.canonical);
  expect(row!.digest.toString('base64url')).toBe(one.digest);
  expect(policyDigestSchema.parse(one.digest)).toBe(one.digest);
});

test('the vectors show every order, every event and every word on an order', () => {
  const reply = checkinReplySchema.parse(bodyOf('work to do'));
  const report = checkinRequestSchema.parse(bodyOf('check-in with news'));
  const oneShots = Object.entries(COMMANDS).flatMap(([type, { kind }]) => (kind === 'one-shot' ? [type] : []));
  expect(reply.commands.map(({ type }) => type).toSorted()).toEqual(oneShots.toSorted());
  expect(report.events.map(({ kind }) => kind).toSorted()).toEqual(agentEventSchema.shape.kind.options.toSorted());
  expect(new Set(report.acks.map(({ status }) => status))).toEqual(new Set(ackSchema.shape.status.options));
  expect(reply.lease).toEqual(vectors.lease.signed);
});

test('the code of the vectors is the one that the server makes of their token, and brings its offer', () => {
  const { code } = setupRequestSchema.parse(bodyOf('set up'));
  const { token } = enrolRequestSchema.parse(bodyOf('enrol'));
  expect(readSetupCode(code)).toEqual({ code: typedCode(20, token), orgId: 20 });
  const offer = provisioningQrSchema.parse(bodyOf('what the camera would have read'));
  const program = {
    serverUrl: offer['android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE']['kist.server'],
    component: offer['android.app.extra.PROVISIONING_DEVICE_ADMIN_COMPONENT_NAME'],
    packageUrl: offer['android.app.extra.PROVISIONING_DEVICE_ADMIN_PACKAGE_DOWNLOAD_LOCATION'],
    signatureChecksum: offer['android.app.extra.PROVISIONING_DEVICE_ADMIN_SIGNATURE_CHECKSUM'],
  };
  expect(JSON.stringify(createOffer(serverKey, program)(token, 20))).toBe(
    vectors.replies.find(({ answers }) => answers === 'set up')!.body,
  );
});

test('what the vectors give back to an earlier key is what the server would give it', () => {
  const { state } = checkinRequestSchema.parse(bodyOf('check-in under the earlier key'));
  const { desired } = checkinReplySchema.parse(bodyOf('given back'));
  expect(lessOf({ ...desired!.policy, lock: { level: 4, cause: 'theft', screen: null } }, state)).toEqual(
    desired!.policy,
  );
});

test('the vectors show every refusal that openapi.json lists for a phone’s call', () => {
  const shown = vectors.replies.flatMap(({ status, body }) =>
    status === 200 ? [] : [(JSON.parse(body) as { code: string }).code],
  );
  const listed = Object.values(agentPaths())
    .flatMap((calls) => Object.values(calls) as { responses: Record<string, { description: string }> }[])
    .flatMap(({ responses }) =>
      Object.entries(responses).flatMap(([status, { description }]) =>
        Number(status) < 400 ? [] : description.split(', '),
      ),
    );
  expect(shown.toSorted()).toEqual([...new Set(listed)].toSorted());
});

test('the lease of the vectors is signed over its characters', () => {
  const { payload, signature, key_id: keyId } = vectors.lease.signed;
  expect(keyId).toBe(serverKey.keyId);
  expect(leaseSchema.parse(JSON.parse(Buffer.from(payload, 'base64url').toString()))).toEqual(vectors.lease.is);
  expect(serverKey.verify(payload, Buffer.from(signature, 'base64url'))).toBe(true);
  expect(isSignedBy(phoneKeys[0]!, payload, Buffer.from(signature, 'base64url'))).toBe(false);
});
