import { generateKeyPairSync, sign } from 'node:crypto';
import { expect, test } from 'vitest';
import { REQUEST_COMPONENTS, signatureBase, signatureInput } from '@kist/contract/agent';
import { isSignedQuestion, readClaim, verifyOnce } from './agent-signature.ts';

test('a signature that was found right at these headers is not looked at again; at any others, or by another key, it is', () => {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const another = generateKeyPairSync('ec', { namedCurve: 'P-256' }).publicKey;
  const digest = 'sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:';
  const params = { created: 1, nonce: 'n'.repeat(22), keyid: '20.x' };
  const path = '/agent/v1/poll';
  const values = { '@method': 'GET', '@path': path, 'content-digest': digest };
  const base = Buffer.from(signatureBase(REQUEST_COMPONENTS, values, params));
  const signature = sign('sha256', base, { key: privateKey, dsaEncoding: 'ieee-p1363' }).toString('base64');
  const headers = {
    'content-digest': digest,
    'signature-input': signatureInput(REQUEST_COMPONENTS, params),
    signature: `sig1=:${signature}:`,
  };
  const asked = { method: 'GET', path, headers, body: Buffer.alloc(0) };
  expect([isSignedQuestion(asked, another), isSignedQuestion(asked, publicKey)]).toEqual([false, true]);
  const forged = { ...readClaim(asked), signature: Buffer.alloc(64, 1) };
  expect(() => verifyOnce(asked, forged, publicKey)).not.toThrow();
  expect(() => verifyOnce({ ...asked, headers: { ...headers } }, forged, publicKey)).toThrow('signature does not fit');
  expect(() => verifyOnce(asked, forged, another)).toThrow('signature does not fit');
  expect(() => verifyOnce(asked, { ...forged, base: 'other' }, publicKey)).toThrow('signature does not fit');
});
