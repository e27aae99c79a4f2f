import { createHash, createPublicKey, generateKeyPairSync, randomUUID, sign, verify } from 'node:crypto';
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AGENT_PATHS,
  REPLY_COMPONENTS,
  REQUEST_COMPONENTS,
  checkinRequestSchema,
  enrolRequestSchema,
  leaseSchema,
  parseContentDigest,
  parseSignature,
  parseSignatureInput,
  signatureBase,
  signatureInput,
} from '@kist/contract/agent';
import type { CheckinReply, CheckinRequest, DesiredPolicy, Lease, ProvisioningQr, Signed } from '@kist/contract/agent';

import { DEMO_AGENT_PATH, LINKED_AGENT_PATH, enrolmentLink } from '@kist/contract/linked-phone';

/** A server that only knows the wire: it verifies every request and signs every answer, with node:crypto alone. */
export interface HonestServer {
  url: string;
  qr: (token?: string) => string;
  /** The link that the shop sends for a phone in use. */
  link: () => string;
  /** What the next answers say. */
  desired: { revision: number; policy: DesiredPolicy } | null;
  /** Instead of `desired`, by the phone's IMEI. */
  desiredOf: ((imei: string) => HonestServer['desired']) | null;
  /** `GET /demo/phones` */
  demoPhones: unknown[] | null;
  /** `GET /demo/phones/:imei/owner`, by the IMEI. */
  owners: Record<string, string>;
  lease: Lease | null;
  commands: CheckinReply['commands'];
  /** Every report that was accepted. */
  reports: CheckinRequest[];
  disputes: string[];
  refused: string[];
  /** Spoils the next answers as a middleman would. */
  tamper: 'none' | 'other_key' | 'body' | 'nonce' | 'lease' | 'unsigned';
  shiftMs: number;
  /** Ends the enrolment with the report of a released phone and loses the answer. */
  forgetsReleased: boolean;
  wake: () => void;
  lost: number;
  close: () => Promise<void>;
}

const pair = () => generateKeyPairSync('ec', { namedCurve: 'P-256' });

export async function startHonestServer(): Promise<HonestServer> {
  const own = pair();
  const other = pair();
  const spkiDer = own.publicKey.export({ type: 'spki', format: 'der' });
  const keyId = createHash('sha256').update(spkiDer).digest('base64url').slice(0, 16);
  const phones = new Map<string, { spki: string; imei: string; deviceId: string; order: [number, number] }>();
  const waiting = new Set<() => void>();
  const seenNonces = new Set<string>();
  /** A wake with nobody waiting meets the next poll. */
  let isWakeDue = false;
  const signText = (text: string, key = own.privateKey) =>
    sign('sha256', Buffer.from(text), { key, dsaEncoding: 'ieee-p1363' });

  const state: HonestServer = {
    url: '',
    desired: null,
    desiredOf: null,
    demoPhones: null,
    owners: {},
    lease: null,
    commands: [],
    reports: [],
    disputes: [],
    refused: [],
    tamper: 'none',
    shiftMs: 0,
    forgetsReleased: false,
    lost: 0,
    qr: (token = `k.${randomUUID()}${randomUUID()}`) =>
      JSON.stringify({
        'android.app.extra.PROVISIONING_DEVICE_ADMIN_COMPONENT_NAME': 'in.kist.agent/.AdminReceiver',
        'android.app.extra.PROVISIONING_DEVICE_ADMIN_PACKAGE_DOWNLOAD_LOCATION': `${state.url}/agent.apk`,
        'android.app.extra.PROVISIONING_DEVICE_ADMIN_SIGNATURE_CHECKSUM': 'x',
        'android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE': {
          'kist.server': state.url,
          'kist.token': token,
          'kist.key_id': keyId,
          'kist.org': '20',
        },
      } satisfies ProvisioningQr),
    link: () =>
      enrolmentLink({
        'kist.server': state.url,
        'kist.token': `k.${randomUUID()}${randomUUID()}`,
        'kist.key_id': keyId,
        'kist.org': '20',
      }),
    wake: () => {
      isWakeDue = waiting.size === 0;
      for (const go of waiting) go();
      waiting.clear();
    },
    close: () =>
      new Promise((resolve) => {
        state.wake();
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };

  const signedLease = (lease: Lease): Signed => {
    const payload = Buffer.from(JSON.stringify(leaseSchema.parse(lease))).toString('base64url');
    const key = state.tamper === 'lease' ? other.privateKey : own.privateKey;
    return { key_id: keyId, payload, signature: signText(payload, key).toString('base64url') };
  };

  const answer = (response: ServerResponse, nonce: string, status: number, value: unknown) => {
    if (state.lost > 0) {
      state.lost -= 1;
      response.destroy();
      return;
    }
    const body = JSON.stringify(value);
    const digest = `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;
    const said = state.tamper === 'nonce' ? randomUUID() : nonce;
    const params = { created: Math.floor(Date.now() / 1000), nonce, keyid: keyId };
    const base = signatureBase(
      REPLY_COMPONENTS,
      { '@status': String(status), 'content-digest': digest, 'kist-nonce': said },
      params,
    );
    const key = state.tamper === 'other_key' ? other.privateKey : own.privateKey;
    const headers = {
      'content-type': 'application/json',
      'content-digest': digest,
      'kist-nonce': said,
      'signature-input': signatureInput(REPLY_COMPONENTS, params),
      signature: `sig1=:${signText(base, key).toString('base64')}:`,
    };
    response
      .writeHead(status, state.tamper === 'unsigned' ? {} : headers)
      .end(state.tamper === 'body' ? body.replace(/\d/, '7') : body);
  };

  const handle = (request: IncomingMessage, body: Buffer, response: ServerResponse): void => {
    const now = () => new Date(Date.now() + state.shiftMs).toISOString();
    const owner = state.owners[/^\/demo\/phones\/(\d+)\/owner$/.exec(request.url ?? '')?.[1] ?? ''];
    if (owner) {
      response.end(JSON.stringify({ name: owner }));
      return;
    }
    if (request.url === '/demo/clock' && request.method === 'GET') {
      response.end(JSON.stringify({ now: now(), shift_ms: state.shiftMs }));
      return;
    }
    if (request.url === '/demo/phones' && state.demoPhones) {
      response.end(JSON.stringify(state.demoPhones));
      return;
    }
    if (request.url === '/demo/clock' && request.method === 'POST') {
      const { advance_days = 0, advance_minutes = 0 } = JSON.parse(body.toString()) as Record<string, number>;
      state.shiftMs += advance_days * 86_400_000 + advance_minutes * 60_000;
      response.end('{}');
      return;
    }
    if (request.url === LINKED_AGENT_PATH) {
      response.writeHead(302, { location: `${state.url}${DEMO_AGENT_PATH}` }).end();
      return;
    }
    if (request.url === DEMO_AGENT_PATH) {
      response.writeHead(200, { 'content-type': 'application/vnd.android.package-archive' }).end('agent');
      return;
    }
    const params = parseSignatureInput(String(request.headers['signature-input']), REQUEST_COMPONENTS);
    const signature = parseSignature(String(request.headers['signature']));
    const digest = String(request.headers['content-digest']);
    const refuse = (why: string, status = 400) => {
      state.refused.push(why);
      answer(response, params?.nonce ?? '', status, { code: why });
    };
    if (!params || !signature || parseContentDigest(digest) !== createHash('sha256').update(body).digest('base64'))
      return refuse('AGENT_SIGNATURE_INVALID');
    const base = signatureBase(
      REQUEST_COMPONENTS,
      { '@method': request.method!, '@path': request.url!, 'content-digest': digest },
      params,
    );
    const isBy = (spki: string) =>
      verify(
        'sha256',
        Buffer.from(base),
        {
          key: createPublicKey({ key: Buffer.from(spki, 'base64url'), type: 'spki', format: 'der' }),
          dsaEncoding: 'ieee-p1363',
        },
        Buffer.from(signature, 'base64'),
      );
    if (request.url === AGENT_PATHS.enrol) {
      const enrol = enrolRequestSchema.parse(JSON.parse(body.toString()));
      if (params.keyid !== enrol.token.slice(0, 16) || !isBy(enrol.public_key_spki))
        return refuse('AGENT_SIGNATURE_INVALID');
      const deviceId = randomUUID();
      const keyid = `20.${randomUUID()}`;
      phones.set(keyid, {
        spki: enrol.public_key_spki,
        imei: enrol.imei[0] ?? '',
        deviceId,
        order: [enrol.boot_count, enrol.elapsed_ms],
      });
      if (state.lease) state.lease = { ...state.lease, device_id: deviceId };
      return answer(response, params.nonce, 200, {
        keyid,
        device_id: deviceId,
        server_time: now(),
        server_key_spki: spkiDer.toString('base64url'),
        server_key_id: keyId,
        lock_strength: enrol.agent === 'DPC' ? 'enforced' : 'advisory',
      });
    }
    const phone = phones.get(params.keyid);
    if (!phone) return refuse('AGENT_UNKNOWN', 404);
    if (!isBy(phone.spki)) return refuse('AGENT_SIGNATURE_INVALID');
    if (seenNonces.has(params.nonce)) return refuse('AGENT_REPLAYED', 409);
    seenNonces.add(params.nonce);
    if (request.url === AGENT_PATHS.poll) {
      if (isWakeDue) {
        isWakeDue = false;
        return answer(response, params.nonce, 200, { wake: true });
      }
      const timer = setTimeout(() => done(false), 2000);
      const done = (wake: boolean) => {
        clearTimeout(timer);
        waiting.delete(go);
        if (!response.destroyed) answer(response, params.nonce, 200, { wake });
      };
      const go = () => done(true);
      waiting.add(go);
      return;
    }
    if (request.url === AGENT_PATHS.dispute) {
      state.disputes.push((JSON.parse(body.toString()) as { text: string }).text);
      return answer(response, params.nonce, 200, {});
    }
    const report = checkinRequestSchema.parse(JSON.parse(body.toString()));
    const isNewer =
      report.boot_count > phone.order[0] ||
      (report.boot_count === phone.order[0] && report.elapsed_ms > phone.order[1]);
    if (!isNewer) return refuse('old report', 409);
    phone.order = [report.boot_count, report.elapsed_ms];
    state.reports.push(report);
    if (state.forgetsReleased && report.state.revision === state.desired?.revision) {
      phones.delete(params.keyid);
      response.destroy();
      return;
    }
    const acked = new Set(report.acks.map((ack) => ack.id));
    state.commands = state.commands.filter((command) => !acked.has(command.id));
    const { lease } = state;
    const desired = state.desiredOf ? state.desiredOf(phone.imei) : state.desired;
    answer(response, params.nonce, 200, {
      server_time: now(),
      desired: desired && desired.revision > report.state.revision ? desired : null,
      commands: state.commands,
      lease: lease && lease.seq > report.state.lease_seq ? signedLease(lease) : null,
      next: { after_s: 600, spread_s: 60 },
    } satisfies CheckinReply);
  };

  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => handle(request, Buffer.concat(chunks), response));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  state.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return state;
}

/** Waits for a fact that the wire brings about. */
export async function until(fact: () => boolean, what: string, withinMs = 5000): Promise<void> {
  const deadline = performance.now() + withinMs;
  while (!fact()) {
    if (performance.now() > deadline) throw new Error(`never happened: ${what}`);
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}
