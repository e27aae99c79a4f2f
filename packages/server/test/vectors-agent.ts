import { createHash, createPublicKey, generateKeyPairSync, randomBytes, sign, verify } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path';

/*
 * An agent as somebody writes it who has docs/agent-protocol.md and docs/agent-vectors.json and nothing else: node:crypto and fetch, no line of the
 * product. It reads each rule off the page; the vectors tell it whether it read right, and it asks with their questions, its own values in them.
 */
type Json = Record<string, unknown>;
interface Vector {
  name: string;
  body: string;
  signature_base?: string;
  headers: Record<string, string>;
}
interface PinnedKey {
  key_id: string;
  public_key_spki: string;
}
export interface LeaseCase {
  name: string;
  lease: {
    valid_until: string;
    notices: { no: number; delivered_at: string | null }[];
    ladder: { at: string; level: number; notice_no: number | null; notice_days: number }[];
  };
  now: string;
  shown: { no: number; at: string }[];
  taken: { at: string }[];
  is_disputed: boolean;
  claims: { due_since: string; said_at: string; told_at: string | null; is_answered: boolean }[];
  step: { level: number; at: string } | null;
}
export const vectors = JSON.parse(
  readFileSync(path.join(import.meta.dirname, '../../../docs/agent-vectors.json'), 'utf8'),
) as {
  keys: Record<'server' | 'next_server' | 'phone' | 'next_phone', PinnedKey>;
  requests: (Vector & { method: string; path: string })[];
  replies: (Vector & { answers: string; status: number; is_thrown_away?: true })[];
  lease_cases: LeaseCase[];
  documents: { what: string; policy: Json; canonical: string; digest: string }[];
  trusted_time: { what: string; elapsed_ms: number; off_at_ms?: number; server_time?: string; trusted: string }[];
};

const sha256 = (what: string | Buffer) => createHash('sha256').update(what);
const digestOf = (body: string) => `sha-256=:${sha256(body).digest('base64')}:`;
const nameOfKey = (org: string, spki: string) => `${org}.${sha256(Buffer.from(spki, 'base64url')).digest('base64url')}`;
const keyIdOf = (spki: string) => sha256(Buffer.from(spki, 'base64url')).digest('base64url').slice(0, 16);
export const parameterOf = (input: string, name: string) =>
  new RegExp(`;${name}="?([^";]*)"?(?:;|$)`).exec(input)?.[1] ?? '';

const baseOf = (lines: Record<string, string>, params: string) =>
  [...Object.entries(lines).map(([name, value]) => `"${name}": ${value}`), `"@signature-params": ${params}`].join('\n');

/** What is signed of a question, and the headers beside the signature. */
export function question(asked: {
  method: string;
  path: string;
  body: string;
  created: number;
  nonce: string;
  keyid: string;
  /** The phone's public key: beside the name that is made of it. */
  spki?: string;
}) {
  const { method, path: at, body, created, nonce, keyid, spki } = asked;
  const digest = digestOf(body);
  const params = `("@method" "@path" "content-digest");created=${created};nonce="${nonce}";keyid="${keyid}";alg="ecdsa-p256-sha256"`;
  return {
    base: baseOf({ '@method': method, '@path': at, 'content-digest': digest }, params),
    headers: {
      'content-digest': digest,
      'signature-input': `sig1=${params}`,
      ...(spki && keyid === nameOfKey(keyid.split('.')[0]!, spki) && { 'kist-key': spki }),
    },
  };
}

/** Whether an answer is the pinned server's, whole, and belongs to the question with this nonce. */
export function isBelieved(
  pinned: PinnedKey,
  nonce: string,
  { status, body, headers }: { status: number; body: string; headers: Record<string, string> },
): boolean {
  const params = (headers['signature-input'] ?? '').replace(/^sig1=/, '');
  const signature = /^sig1=:(.+):$/.exec(headers['signature'] ?? '')?.[1];
  if (!signature || !params.startsWith('("@status" "content-digest" "kist-nonce");')) return false;
  if (parameterOf(params, 'keyid') !== pinned.key_id || keyIdOf(pinned.public_key_spki) !== pinned.key_id) return false;
  if ((headers['kist-nonce'] ?? '') !== nonce || parameterOf(params, 'nonce') !== nonce) return false;
  if (headers['content-digest'] !== digestOf(body)) return false;
  const base = baseOf({ '@status': String(status), 'content-digest': digestOf(body), 'kist-nonce': nonce }, params);
  const key = createPublicKey({ key: Buffer.from(pinned.public_key_spki, 'base64url'), type: 'spki', format: 'der' });
  return verify('sha256', Buffer.from(base), { key, dsaEncoding: 'ieee-p1363' }, Buffer.from(signature, 'base64'));
}

/** RFC 8785, of what a policy holds: names sorted by their UTF-16 units, everything else as JSON.stringify writes it. */
export function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const of = value as Json;
  const members = Object.keys(of)
    .toSorted()
    .map((name) => `${JSON.stringify(name)}:${canonical(of[name])}`);
  return `{${members.join(',')}}`;
}
export const policyDigest = (policy: unknown) => sha256(canonical(policy)).digest('base64url');

const DAY_MS = 86_400_000;
const INDIA_MS = 5.5 * 3_600_000;

/** Late steps: only between 10:00 and 18:00 in India. */
function inHours(ms: number): number {
  const midnight = Math.floor((ms + INDIA_MS) / DAY_MS) * DAY_MS - INDIA_MS;
  const hour = (ms - midnight) / 3_600_000;
  if (hour < 10) return midnight + 10 * 3_600_000;
  return hour < 18 ? ms : midnight + DAY_MS + 10 * 3_600_000;
}

/** When a day in India begins, so many days after that of a moment. */
const midnightAfter = (moment: string, days: number) =>
  (Math.floor((Date.parse(moment) + INDIA_MS) / DAY_MS) + days) * DAY_MS - INDIA_MS;

/** Until when the ladder waits for what is said to be paid: the first word about an instalment that is due waits for an answer, to the end of the second day. */
function waitsUntil(claims: LeaseCase['claims']): number {
  const due = claims.filter(({ due_since, said_at }) => Date.parse(said_at) >= midnightAfter(`${due_since}T00:00Z`, 0));
  const first = due.filter(({ due_since }, nth) => due.findIndex((claim) => claim.due_since === due_since) === nth);
  const open = first.filter(({ is_answered }) => !is_answered);
  return Math.max(0, ...open.map(({ said_at, told_at }) => midnightAfter(told_at ?? said_at, 3)));
}

/** The next step of a lease that may be taken alone, by the page's list of what must be so. */
export function stepOf({ lease, now, shown, taken, is_disputed: isDisputed, claims }: LeaseCase): LeaseCase['step'] {
  const step = lease.ladder[taken.length];
  if (!step || isDisputed) return null;
  const planned = Date.parse(step.at);
  let at = Math.max(planned, Date.parse(now), waitsUntil(claims));
  if (step.notice_no !== null) {
    const delivered = lease.notices.find(({ no }) => no === step.notice_no)?.delivered_at;
    const seen = shown.find(({ no }) => no === step.notice_no)?.at;
    const told = [delivered, seen].flatMap((moment) => (moment ? [Date.parse(moment)] : []));
    if (told.length === 0) return null;
    at = Math.max(at, Math.min(...told) + step.notice_days * DAY_MS);
  }
  const below = lease.ladder[taken.length - 1];
  if (below) at = Math.max(at, Date.parse(taken.at(-1)!.at) + planned - Date.parse(below.at));
  if (at !== planned) at = inHours(at);
  return at > Date.parse(lease.valid_until) ? null : { level: step.level, at: new Date(at).toISOString() };
}

/** Trusted time: the last server time plus what the elapsed clock has grown since. */
export function createTrustedTime() {
  let [highest, anchor, since] = [Number.NEGATIVE_INFINITY, Number.NaN, 0];
  const nowMs = (elapsed: number) => anchor + elapsed - since;
  return {
    nowMs,
    heard: (serverMs: number, elapsed: number) => {
      if (serverMs >= highest) [highest, anchor, since] = [serverMs, serverMs, elapsed];
    },
    booted: (offAt: number) => {
      [anchor, since] = [nowMs(offAt), 0];
    },
  };
}

interface VectorsAgentOptions {
  url: string;
  /** Of the QR: the name of the server's key. Absent: the code is typed. */
  keyId?: string;
  imei: string;
}

/** @returns what a person who wrote it would call. Everything throws for an answer that it would throw away, and for a refusal its code. */
export function createVectorsAgent({ url, keyId: named, imei }: VectorsAgentOptions) {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const spki = publicKey.export({ type: 'spki', format: 'der' }).toString('base64url');
  const born = Date.now();
  const time = createTrustedTime();
  time.heard(born, 0);
  const elapsed = () => Date.now() - born;
  const pinned = { key_id: named ?? '', public_key_spki: '' };
  let keyid = '';

  async function ask(name: string, change: Json = {}, asked?: string) {
    const { method, path: at, body: shown } = vectors.requests.find((one) => one.name === name)!;
    const body = shown === '' ? '' : JSON.stringify({ ...(JSON.parse(shown) as Json), ...change });
    const nonce = asked === undefined ? '' : randomBytes(18).toString('base64url');
    const created = Math.floor(time.nowMs(elapsed()) / 1000);
    const signed = question({ method, path: at, body, created, nonce, keyid: asked ?? '', spki });
    const made = sign('sha256', Buffer.from(signed.base), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const answer = await fetch(`${url}${at}`, {
      method,
      headers: {
        ...(body && { 'content-type': 'application/json' }),
        ...(asked !== undefined && { ...signed.headers, signature: `sig1=:${made.toString('base64')}:` }),
      },
      ...(body && { body }),
    });
    return { nonce, status: answer.status, headers: Object.fromEntries(answer.headers), body: await answer.text() };
  }
  type Answer = Awaited<ReturnType<typeof ask>>;

  function believed(answer: Answer): Json {
    if (!isBelieved(pinned, answer.nonce, answer)) throw new Error('thrown away');
    const reply = JSON.parse(answer.body) as Json;
    if (typeof reply['server_time'] === 'string') time.heard(Date.parse(reply['server_time']), elapsed());
    if (answer.status !== 200) throw new Error(String(reply['code']));
    return reply;
  }
  const said = { imei: [imei], serial: `S${imei}` };
  const clock = () => ({ elapsed_ms: 60_000 + elapsed() });

  return {
    /** The typed code. Nothing is pinned yet: what came is proved once enrolment brought the key that it names. */
    async setUp(code: string): Promise<{ token: string; isProven(): boolean }> {
      const answer = await ask('set up', { ...said, code });
      const reply = JSON.parse(answer.body) as Json;
      if (answer.status !== 200) throw new Error(String(reply['code']));
      const extras = reply['android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE'] as Record<string, string>;
      pinned.key_id = extras['kist.key_id']!;
      return { token: extras['kist.token']!, isProven: () => isBelieved(pinned, '', answer) };
    },
    async enrol(token: string): Promise<Json> {
      const answer = await ask('enrol', { ...said, ...clock(), token, public_key_spki: spki }, token.slice(0, 16));
      const brought = (JSON.parse(answer.body) as Json)['server_key_spki'];
      if (pinned.public_key_spki === '' && typeof brought === 'string') {
        if (keyIdOf(brought) !== pinned.key_id) throw new Error('another server');
        pinned.public_key_spki = brought;
      }
      const enrolled = believed(answer);
      keyid = String(enrolled['keyid']);
      return enrolled;
    },
    checkIn: async (change: Json = {}) => believed(await ask('first check-in', { ...clock(), ...change }, keyid)),
    /** What the server calls its key now; never a reason to believe another than the pinned one. */
    serverKey: async () => believed(await ask('the key')),
  };
}
