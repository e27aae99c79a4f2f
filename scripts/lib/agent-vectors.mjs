import { createECDH, createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';
import {
  AGENT_PATHS,
  KEY_HEADER,
  REPLY_COMPONENTS,
  REQUEST_COMPONENTS,
  isKeyName,
  keyidOf,
  signatureBase,
  signatureInput,
} from '@kist/contract/agent';
import { ERRORS } from '@kist/contract/errors';
import { SETUP_CODE_BITS, groupedSetupCode, setupCode } from '@kist/contract/setup-code';
import { LEASE_CASES, TRUSTED_TIME } from './agent-cases.mjs';
import { REFUSALS } from './agent-refusals.mjs';
import * as said from './agent-samples.mjs';

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
    hash: createHash('sha256').update(spki).digest('base64url'),
    keyId: createHash('sha256').update(spki).digest('base64url').slice(0, 16),
    sign: (/** @type {string} */ text) => sign('sha256', Buffer.from(text), { key: secret, dsaEncoding }),
    holds: (/** @type {string} */ text, /** @type {Buffer} */ made) =>
      verify('sha256', Buffer.from(text), { key: open, dsaEncoding }, made),
  };
}

/** @typedef {ReturnType<typeof keyFrom>} Key */

const phone = keyFrom('kist agent vectors: the phone');
const server = keyFrom('kist agent vectors: the server');
/** The phone after it was erased, and a server that lost its key. */
const nextPhone = keyFrom('kist agent vectors: the phone after it was erased');
const nextServer = keyFrom('kist agent vectors: the server after it lost its key');
const ORG = 20;
const PHONE_KEYID = keyidOf(ORG, phone.hash);
const NEXT_KEYID = keyidOf(ORG, nextPhone.hash);
/** Of a phone that enrolled before keys were names. */
const ENROLMENT_NAME = `${ORG}.0198f2a4-6c11-7b3e-9d20-5a4f3c2b1a00`;
const DEVICE = said.lease.device_id;
const NOW = new Date(CREATED * 1000).toISOString();

/** The code to type of the token, as the server makes it of the token (an agent need not). */
function codeToType() {
  const secret = createHash('sha256').update(`typed ${said.TOKEN}`).digest().readBigUInt64BE();
  return groupedSetupCode(setupCode(ORG, BigInt.asUintN(SETUP_CODE_BITS, secret)) ?? '');
}

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
 * @typedef {object} Asked
 * @property {string} name
 * @property {string} method
 * @property {string} path
 * @property {string} [keyid] absent: asked before there is a key, so unsigned
 * @property {unknown} [says]
 * @property {Key} [by] whose key signs
 *
 * @param {Asked} asked
 * @param {any} before the same vector as it stands
 */
function request({ name, method, path, keyid, says, by = phone }, before) {
  const body = says === undefined ? '' : JSON.stringify(says);
  if (keyid === undefined) return { name, method, path, body, headers: {} };
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
      signature: `sig1=:${signed(by, base, bare(before), 'base64')}:`,
      ...(isKeyName(keyid) && { [KEY_HEADER]: by.said.public_key_spki }),
    },
  };
}

/**
 * `is_thrown_away`: a phone that pinned the server's key believes no word of it.
 * @typedef {object} Told
 * @property {string} name
 * @property {string} answers
 * @property {number} status
 * @property {unknown} says
 * @property {Key} [by]
 * @property {true} [isUnsigned]
 * @property {number} [retryAfterS]
 *
 * @param {Told} told
 * @param {any} before
 */
function reply({ name, answers, status, says, by = server, isUnsigned, retryAfterS }, before) {
  const body = JSON.stringify(says);
  const wait = retryAfterS === undefined ? {} : { 'retry-after': String(retryAfterS) };
  if (isUnsigned) return { name, answers, status, body, is_thrown_away: true, headers: wait };
  const params = { created: CREATED, nonce: nonceOf(answers), keyid: by.keyId };
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
    ...(by === server ? {} : { is_thrown_away: true }),
    signature_base: base,
    headers: {
      'content-digest': digest,
      'kist-nonce': params.nonce,
      'signature-input': signatureInput(REPLY_COMPONENTS, params),
      signature: `sig1=:${signed(by, base, bare(before), 'base64')}:`,
    },
  };
}

/** A question that is not signed has none. */
const nonceOf = (/** @type {string} */ name) =>
  UNSIGNED.has(name) ? '' : createHash('sha256').update(`nonce of ${name}`).digest('base64url').slice(0, 24);
const UNSIGNED = new Set(['set up', 'the key']);
const bare = (/** @type {any} */ before) => /^sig1=:(.+):$/.exec(before?.headers?.signature ?? '')?.[1];

/**
 * Questions and answers of the agent protocol, byte for byte.
 * @param {any} kept the vectors as they stand: their signatures stay while they hold
 */
export function agentVectors(kept) {
  const of = (/** @type {string} */ list, /** @type {string} */ name) =>
    kept?.[list]?.find((/** @type {any} */ one) => one.name === name);
  const payload = Buffer.from(JSON.stringify(said.lease)).toString('base64url');
  const signedLease = {
    key_id: server.keyId,
    payload,
    signature: signed(server, payload, kept?.lease?.signed?.signature, 'base64url'),
  };
  const busy = { ...QUIET, desired: said.desired, commands: said.orders, lease: signedLease };
  return {
    keys: {
      phone: phone.said,
      next_phone: nextPhone.said,
      server: { ...server.said, key_id: server.keyId },
      next_server: { ...nextServer.said, key_id: nextServer.keyId },
    },
    requests: questions().map((asked) => request(asked, of('requests', asked.name))),
    replies: [...answers(busy), ...refusals()].map((told) => reply(told, of('replies', told.name))),
    documents: said.documents,
    lease: { is: said.lease, signed: signedLease },
    lease_cases: LEASE_CASES,
    trusted_time: TRUSTED_TIME,
  };
}

const QUIET = { server_time: NOW, desired: null, commands: [], lease: null, next: { after_s: 900, spread_s: 300 } };
const SOON = { after_s: 5, spread_s: 0 };

/** @returns {Asked[]} */
function questions() {
  const { setup, enrol, checkin, poll, dispute, key } = AGENT_PATHS;
  const first = said.enrolment(phone.said.public_key_spki);
  const again = said.enrolment(nextPhone.said.public_key_spki, said.NEXT_TOKEN);
  const { proto, imei, serial, agent } = first;
  const post = (/** @type {Omit<Asked, 'method'>} */ asked) => ({ method: 'POST', ...asked });
  return [
    post({ name: 'set up', path: setup, says: { proto, code: codeToType().toLowerCase(), imei, serial, agent } }),
    { name: 'the key', method: 'GET', path: key },
    post({ name: 'enrol', path: enrol, keyid: said.TOKEN.slice(0, 16), says: first }),
    post({ name: 'first check-in', path: checkin, keyid: PHONE_KEYID, says: said.report }),
    post({ name: 'check-in with news', path: checkin, keyid: PHONE_KEYID, says: said.news }),
    { name: 'poll', method: 'GET', path: poll, keyid: PHONE_KEYID },
    post({ name: 'dispute', path: dispute, keyid: PHONE_KEYID, says: { text: 'मैंने 5 तारीख को दुकान पर पैसे दे दिए थे।' } }),
    post({ name: 'enrol again', path: enrol, keyid: said.NEXT_TOKEN.slice(0, 16), says: again, by: nextPhone }),
    post({ name: 'check-in under the new key', path: checkin, keyid: NEXT_KEYID, says: said.report, by: nextPhone }),
    post({ name: 'check-in under the name of an enrolment', path: checkin, keyid: ENROLMENT_NAME, says: said.report }),
    post({ name: 'check-in under the earlier key', path: checkin, keyid: PHONE_KEYID, says: said.held }),
  ];
}

/** @param {object} busy the answer with everything in it @returns {Told[]} */
function answers(busy) {
  const keyOf = (/** @type {Key} */ { keyId, said: { public_key_spki: spki } }) => ({
    server_key_id: keyId,
    server_key_spki: spki,
  });
  const enrolled = (/** @type {string} */ keyid) => ({
    keyid,
    device_id: DEVICE,
    server_time: NOW,
    lock_strength: 'enforced',
    server_key_spki: server.said.public_key_spki,
    server_key_id: server.keyId,
  });
  const ok = (/** @type {Omit<Told, 'status'>} */ told) => ({ status: 200, ...told });
  return [
    ok({ name: 'what the camera would have read', answers: 'set up', says: said.provisioning(server.keyId) }),
    ok({ name: 'its key', answers: 'the key', says: keyOf(server) }),
    ok({ name: 'another server’s key', answers: 'the key', says: keyOf(nextServer), by: nextServer }),
    ok({ name: 'enrolled', answers: 'enrol', says: enrolled(PHONE_KEYID) }),
    ok({ name: 'work to do', answers: 'first check-in', says: { ...busy, next: SOON } }),
    ok({ name: 'nothing new', answers: 'check-in with news', says: QUIET }),
    ok({ name: 'signed by another server', answers: 'check-in with news', says: QUIET, by: nextServer }),
    ok({ name: 'woken', answers: 'poll', says: { wake: true } }),
    ok({ name: 'heard', answers: 'dispute', says: {} }),
    ok({ name: 'enrolled again', answers: 'enrol again', says: enrolled(NEXT_KEYID) }),
    ok({ name: 'nothing new either', answers: 'check-in under the name of an enrolment', says: QUIET }),
    ok({ name: 'its state again', answers: 'check-in under the new key', says: { ...busy, commands: [], next: SOON } }),
    ok({
      name: 'given back',
      answers: 'check-in under the earlier key',
      says: { ...QUIET, desired: said.givenBack, next: { after_s: 30, spread_s: 0 } },
    }),
  ];
}

/** @returns {Told[]} */
const refusals = () =>
  REFUSALS.map(({ code, answers: asked, rest, isUnsigned, retryAfterS }) => {
    const { status } = ERRORS[code];
    const says = { status, response: 'failure', message: code, code, ...rest };
    return { name: `refused: ${code}`, answers: asked, status, says, isUnsigned, retryAfterS };
  });
