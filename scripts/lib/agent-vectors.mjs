import { createECDH, createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import { AGENT_PATHS, REPLY_COMPONENTS, REQUEST_COMPONENTS, signatureBase, signatureInput } from '@kist/contract/agent';
import { acks, desired, enrolment, events, lease, orders, report } from './agent-samples.mjs';

/** The wire's only signature: r‖s, 64 bytes. */
const dsaEncoding = 'ieee-p1363';
/** 24 November 2026, 10:30 in India. */
const CREATED = Date.parse('2026-11-24T05:00:00Z') / 1000;

/**
 * A key that anybody can make: its private number is the SHA-256 of a sentence. For these vectors and nothing else.
 * @param {string} sentence
 */
function keyFrom(sentence) {
  const d = createHash('sha256').update(sentence).digest();
  const ecdh = createECDH('prime256v1');
  ecdh.setPrivateKey(d);
  const point = ecdh.getPublicKey();
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((part) => part.toString('base64url'));
  const secret = createPrivateKey({
    key: { kty: 'EC', crv: 'P-256', d: d.toString('base64url'), x, y },
    format: 'jwk',
  });
  const open = createPublicKey(secret);
  const spki = open.export({ format: 'der', type: 'spki' });
  return {
    said: { private_number_is_sha256_of: sentence, public_key_spki: spki.toString('base64url') },
    keyId: createHash('sha256').update(spki).digest('base64url').slice(0, 16),
    sign: (/** @type {string} */ text) => sign('sha256', Buffer.from(text), { key: secret, dsaEncoding }),
    holds: (/** @type {string} */ text, /** @type {Buffer} */ made) =>
      verify('sha256', Buffer.from(text), { key: open, dsaEncoding }, made),
  };
}

/** @typedef {ReturnType<typeof keyFrom>} Key */

const phone = keyFrom('kist agent vectors: the phone');
const server = keyFrom('kist agent vectors: the server');
const PHONE_KEYID = '20.0198f2a4-6c11-7b3e-9d20-5a4f3c2b1a00';

const digestOf = (/** @type {string} */ body) => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

/**
 * ECDSA has no one answer, so a signature that holds is kept and only another text is signed anew.
 * @param {Key} key @param {string} text @param {string | undefined} kept @param {BufferEncoding} encoding
 */
function signed(key, text, kept, encoding) {
  if (kept && key.holds(text, Buffer.from(kept, encoding))) return kept;
  return key.sign(text).toString(encoding);
}

/**
 * @param {{ name: string, method: string, path: string, keyid: string, said?: unknown }} asked
 * @param {any} before the same vector as it stands
 */
function request({ name, method, path, keyid, said }, before) {
  const body = said === undefined ? '' : JSON.stringify(said);
  const params = { created: CREATED, nonce: nonceOf(name), keyid };
  const digest = digestOf(body);
  const base = signatureBase(
    REQUEST_COMPONENTS,
    { '@method': method, '@path': path, 'content-digest': digest },
    params,
  );
  return {
    name,
    method,
    path,
    body,
    signature_base: base,
    headers: {
      'content-digest': digest,
      'signature-input': signatureInput(REQUEST_COMPONENTS, params),
      signature: `sig1=:${signed(phone, base, bare(before), 'base64')}:`,
    },
  };
}

/**
 * @param {{ name: string, answers: string, status: number, said: unknown }} told
 * @param {any} before
 */
function reply({ name, answers, status, said }, before) {
  const body = JSON.stringify(said);
  const params = { created: CREATED, nonce: nonceOf(answers), keyid: server.keyId };
  const digest = digestOf(body);
  const base = signatureBase(
    REPLY_COMPONENTS,
    { '@status': String(status), 'content-digest': digest, 'kist-nonce': params.nonce },
    params,
  );
  return {
    name,
    answers,
    status,
    body,
    signature_base: base,
    headers: {
      'content-digest': digest,
      'kist-nonce': params.nonce,
      'signature-input': signatureInput(REPLY_COMPONENTS, params),
      signature: `sig1=:${signed(server, base, bare(before), 'base64')}:`,
    },
  };
}

const nonceOf = (/** @type {string} */ name) =>
  createHash('sha256').update(`nonce of ${name}`).digest('base64url').slice(0, 24);
const bare = (/** @type {any} */ before) => /^sig1=:(.+):$/.exec(before?.headers?.signature ?? '')?.[1];

/**
 * Questions and answers of the agent protocol, byte for byte.
 * @param {any} kept the vectors as they stand: their signatures stay while they hold
 */
export function agentVectors(kept) {
  const of = (/** @type {string} */ list, /** @type {string} */ name) =>
    kept?.[list]?.find((/** @type {any} */ one) => one.name === name);
  const payload = Buffer.from(JSON.stringify(lease)).toString('base64url');
  const signedLease = {
    key_id: server.keyId,
    payload,
    signature: signed(server, payload, kept?.lease?.signed?.signature, 'base64url'),
  };
  const now = new Date(CREATED * 1000).toISOString();
  const refusal = (/** @type {number} */ status, /** @type {string} */ code, details = {}) => ({
    status,
    response: 'failure',
    message: code,
    code,
    ...details,
  });
  const enrolled = {
    keyid: PHONE_KEYID,
    device_id: lease.device_id,
    server_time: now,
    server_key_spki: server.said.public_key_spki,
    server_key_id: server.keyId,
    lock_strength: 'enforced',
  };
  const quiet = { server_time: now, desired: null, commands: [], lease: null, next: { after_s: 900, spread_s: 300 } };
  const busy = { ...quiet, desired, commands: orders, lease: signedLease, next: { after_s: 5, spread_s: 0 } };
  const [checkin, poll] = [AGENT_PATHS.checkin, AGENT_PATHS.poll];
  const token = enrolment(phone.said.public_key_spki);
  return {
    keys: { phone: phone.said, server: { ...server.said, key_id: server.keyId } },
    requests: [
      { name: 'enrol', method: 'POST', path: AGENT_PATHS.enrol, keyid: token.token.slice(0, 16), said: token },
      { name: 'first check-in', method: 'POST', path: checkin, keyid: PHONE_KEYID, said: report },
      {
        name: 'check-in with news',
        method: 'POST',
        path: checkin,
        keyid: PHONE_KEYID,
        said: { ...report, elapsed_ms: 900_000, highest_seq: 4, acks, events },
      },
      { name: 'poll', method: 'GET', path: poll, keyid: PHONE_KEYID },
      {
        name: 'dispute',
        method: 'POST',
        path: AGENT_PATHS.dispute,
        keyid: PHONE_KEYID,
        said: { text: 'मैंने 5 तारीख को दुकान पर पैसे दे दिए थे।' },
      },
    ].map((asked) => request(asked, of('requests', asked.name))),
    replies: [
      { name: 'enrolled', answers: 'enrol', status: 200, said: enrolled },
      { name: 'work to do', answers: 'first check-in', status: 200, said: busy },
      { name: 'nothing new', answers: 'check-in with news', status: 200, said: quiet },
      { name: 'woken', answers: 'poll', status: 200, said: { wake: true } },
      { name: 'heard', answers: 'dispute', status: 200, said: {} },
      {
        name: 'the time is wrong',
        answers: 'first check-in',
        status: 400,
        said: refusal(400, 'STALE_REQUEST', { details: { server_time: now } }),
      },
      { name: 'unknown', answers: 'poll', status: 404, said: refusal(404, 'AGENT_UNKNOWN') },
    ].map((told) => reply(told, of('replies', told.name))),
    lease: { is: lease, signed: signedLease },
  };
}
