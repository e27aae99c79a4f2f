import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/*
 * An agent as somebody writes it who has docs/agent-protocol.md and docs/agent-vectors.json and nothing else: node:crypto and fetch, no line of the
 * product. Whatever it sends is a question of the vectors with its own values in place of theirs; headers are put together as theirs are.
 */
type Json = Record<string, unknown>;
interface Vector {
  name: string;
  method: string;
  path: string;
  body: string;
  signature_base: string;
  headers: Record<string, string>;
}
const vectors = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../docs/agent-vectors.json'), 'utf8'),
) as {
  requests: Vector[];
  replies: { signature_base: string; headers: Record<string, string> }[];
};

const digestOf = (body: string) => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
const keyIdOf = (spki: string) =>
  createHash('sha256').update(Buffer.from(spki, 'base64url')).digest('base64url').slice(0, 16);
/** The same text with another value in each place that the vectors show. */
function withValues(text: string, values: Record<string, string>): string {
  let made = text;
  for (const [was, is] of Object.entries(values)) made = made.replaceAll(was, () => is);
  return made;
}
const parameterOf = (input: string, name: string) => new RegExp(`${name}="?([^";]+)"?`).exec(input)?.[1] ?? '';

interface VectorsAgentOptions {
  url: string;
  /** Of the QR: the name of the server's key. */
  keyId: string;
  imei: string;
}

/** @returns what a person who wrote it would call: enrol, checkIn. Throws for an answer that it would throw away. */
export function createVectorsAgent({ url, keyId, imei }: VectorsAgentOptions) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  const born = Date.now();
  let keyid = '';
  let serverSpki = '';
  let serverTimeMs = Date.now();

  async function ask(name: string, change: Json, asked: string): Promise<Json> {
    const vector = vectors.requests.find((one) => one.name === name)!;
    const said = { ...(JSON.parse(vector.body) as Json), elapsed_ms: 60_000 + Date.now() - born, ...change };
    const body = JSON.stringify(said);
    const was = vector.headers['signature-input']!;
    const nonce = randomBytes(18).toString('base64url');
    const values = {
      [vector.headers['content-digest']!]: digestOf(body),
      [`created=${parameterOf(was, 'created').split(';')[0]}`]: `created=${Math.floor(serverTimeMs / 1000)}`,
      [parameterOf(was, 'nonce')]: nonce,
      [parameterOf(was, 'keyid')]: asked,
    };
    const base = withValues(vector.signature_base, values);
    const signature = sign('sha256', Buffer.from(base), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const answer = await fetch(`${url}${vector.path}`, {
      method: vector.method,
      headers: {
        'content-type': 'application/json',
        'content-digest': digestOf(body),
        'signature-input': withValues(was, values),
        signature: `sig1=:${signature.toString('base64')}:`,
      },
      body,
    });
    return believed(answer, await answer.text(), nonce);
  }

  /** The answer, when the pinned key signed it over this nonce. */
  function believed(answer: Response, text: string, nonce: string): Json {
    const reply = JSON.parse(text) as Json;
    if (!serverSpki) {
      serverSpki = String(reply['server_key_spki']);
      if (keyIdOf(serverSpki) !== keyId) throw new Error('another server');
    }
    const { signature_base: shown, headers: was } = vectors.replies[0]!;
    const input = answer.headers.get('signature-input') ?? '';
    const base = withValues(shown, {
      [was['content-digest']!]: digestOf(text),
      [was['signature-input']!.replace('sig1=', '')]: input.replace('sig1=', ''),
      [was['kist-nonce']!]: nonce,
      '"@status": 200': `"@status": ${answer.status}`,
    });
    const given = /^sig1=:(.+):$/.exec(answer.headers.get('signature') ?? '')?.[1] ?? '';
    const key = createPublicKey({ key: Buffer.from(serverSpki, 'base64url'), type: 'spki', format: 'der' });
    const proof = Buffer.from(given, 'base64');
    const isTrue = verify('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, proof);
    if (!isTrue || parameterOf(input, 'nonce') !== nonce) throw new Error('thrown away');
    if (typeof reply['server_time'] === 'string') serverTimeMs = Date.parse(reply['server_time']);
    if (answer.status !== 200) throw new Error(String(reply['code']));
    return reply;
  }

  return {
    async enrol(token: string): Promise<Json> {
      const enrolled = await ask('enrol', { token, public_key_spki: spki, imei: [imei] }, token.slice(0, 16));
      keyid = String(enrolled['keyid']);
      return enrolled;
    },
    checkIn: (change: Json = {}) => ask('first check-in', change, keyid),
  };
}
