import { generateKeyPairSync, sign } from 'node:crypto';

const DAY_MS = 86_400_000;

/**
 * DER (X.690): one value, its length written short or in one or two bytes more.
 * @param {number} tag
 * @param {readonly Uint8Array[]} parts
 */
function der(tag, ...parts) {
  const body = Buffer.concat(parts);
  const { length } = body;
  const size = length < 0x80 ? [length] : length < 0x100 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

/** @param {readonly Uint8Array[]} parts */
const sequence = (...parts) => der(0x30, ...parts);
/** @param {number} value below 128 */
const number = (value) => der(0x02, Buffer.from([value]));
/** UTCTime, which says years before 2050. @param {number} days from now */
const time = (days) => {
  const digits = new Date(Date.now() + days * DAY_MS).toISOString().replaceAll(/[-:T]/g, '');
  return der(0x17, Buffer.from(`${digits.slice(2, 14)}Z`));
};
const ECDSA_WITH_SHA256 = sequence(der(0x06, Buffer.from('2a8648ce3d040302', 'hex')));
const COMMON_NAME = der(0x06, Buffer.from('550403', 'hex'));
const SUBJECT_ALT_NAME = der(0x06, Buffer.from('551d11', 'hex'));
const HOST = Buffer.from('localhost');

/**
 * A certificate for `localhost` that signs itself (RFC 5280, P-256), good for a day.
 * @returns {{ key: string, cert: string }} both in PEM; nobody keeps the key
 */
export function ownCertificate() {
  const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const name = sequence(der(0x31, sequence(COMMON_NAME, der(0x0c, HOST))));
  const alsoNamed = sequence(SUBJECT_ALT_NAME, der(0x04, sequence(der(0x82, HOST))));
  const toSign = sequence(
    der(0xa0, number(2)),
    number(1),
    ECDSA_WITH_SHA256,
    name,
    sequence(time(-1), time(1)),
    name,
    publicKey.export({ type: 'spki', format: 'der' }),
    der(0xa3, sequence(alsoNamed)),
  );
  const signature = der(0x03, Buffer.from([0]), sign('sha256', toSign, privateKey));
  const base64 = sequence(toSign, ECDSA_WITH_SHA256, signature).toString('base64');
  return {
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${base64.replaceAll(/.{64}/g, '$&\n')}\n-----END CERTIFICATE-----\n`,
  };
}
