import { createPublicKey, verify } from 'node:crypto';
import {
  REQUEST_COMPONENTS,
  checkinRequestSchema,
  parseSignature,
  parseSignatureInput,
  signatureBase,
} from '@kist/contract/agent';
import { expect, it } from 'vitest';
import { makeLoadPhone } from './load.ts';

it('a load phone signs reports that are valid, each newer than the one before', () => {
  const phone = makeLoadPhone({
    keyid: '20.0190b3c2-0000-7000-8000-000000000001',
    deviceId: '0190b3c2-0000-7000-8000-000000000001',
    imei: '490154203237518',
    nowMs: 1_700_000_000_000,
  });
  const requests = phone.presign(3, { revision: 2, level: 4 });
  const key = createPublicKey({ key: Buffer.from(phone.publicKeySpki, 'base64url'), type: 'spki', format: 'der' });
  const elapsed = requests.map(({ method, path, headers, body }) => {
    const params = parseSignatureInput(headers['signature-input']!, REQUEST_COMPONENTS)!;
    const base = signatureBase(
      REQUEST_COMPONENTS,
      { '@method': method, '@path': path, 'content-digest': headers['content-digest']! },
      params,
    );
    expect(
      verify(
        'sha256',
        Buffer.from(base),
        { key, dsaEncoding: 'ieee-p1363' },
        Buffer.from(parseSignature(headers['signature']!)!, 'base64'),
      ),
    ).toBe(true);
    const report = checkinRequestSchema.parse(JSON.parse(body));
    expect(report.state).toMatchObject({ revision: 2, lock_level: 4 });
    return report.elapsed_ms;
  });
  expect(elapsed).toEqual([1000, 2000, 3000]);
});
