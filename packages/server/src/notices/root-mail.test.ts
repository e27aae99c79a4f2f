import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { Writable } from 'node:stream';
import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import * as audit from '#server/audit/audit.ts';
import { runDay } from '#server/jobs/daily-run.ts';
import { outboxHandlers } from '#server/jobs/timers.ts';
import { createLog } from '#server/platform/log.ts';
import { newId } from '#server/platform/ids.ts';
import { type OutboxDispatcher, startOutbox } from '#server/platform/outbox.ts';
import { createTestDatabase } from '#test/database.ts';
import { makeOrganisation } from '#test/factories.ts';
import { createServices } from '#test/services.ts';
import type { MailRefusal } from './providers/mail.ts';
import { type SmtpOptions, createSmtp } from './providers/smtp.ts';

const PASSWORD = 'q7-Xe-horse-battery';
const ORG = 20;

interface Taken {
  to: string;
  source: string;
}
/** A mail server on loopback that really speaks SMTP; what it does with a recipient is the test's. */
class Peer {
  readonly taken: Taken[] = [];
  readonly refused = new Set<string>();
  #server: SMTPServer | undefined;
  #port = 0;

  async up(options: SMTPServerOptions = { disabledCommands: ['STARTTLS'], authOptional: true }): Promise<void> {
    this.#server = new SMTPServer({
      logger: false,
      onAuth: ({ username, password }, _session, done) =>
        username === 'kist' && password === PASSWORD
          ? done(null, { user: username })
          : done(Object.assign(new Error(`no ${password} for ${username}`), { responseCode: 535 })),
      onRcptTo: ({ address }, _session, done) =>
        this.refused.has(address)
          ? done(Object.assign(new Error(`nobody here is ${address}`), { responseCode: 550 }))
          : done(),
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          for (const { address } of session.envelope.rcptTo)
            this.taken.push({ to: address, source: Buffer.concat(parts).toString() });
          done();
        });
      },
      ...options,
    });
    this.#server.on('error', () => undefined);
    const listening = this.#server.listen(this.#port, '127.0.0.1');
    await once(listening, 'listening');
    this.#port = (listening.address() as AddressInfo).port;
  }
  async down(): Promise<void> {
    const server = this.#server;
    this.#server = undefined;
    await new Promise<void>((resolve) => (server ? server.close(() => resolve()) : resolve()));
  }
  options(change: Partial<SmtpOptions> = {}): SmtpOptions {
    return { url: `smtp://127.0.0.1:${this.#port}`, account: undefined, from: 'kist@house.example', ...change };
  }
}

const db = await createTestDatabase();
const services = createServices(db);
await makeOrganisation(services.db, ORG);
afterAll(() => services.waker.close());

let peer: Peer;
let logged: string;
let outbox: OutboxDispatcher | undefined;
const log = createLog(
  'debug',
  new Writable({
    write: (chunk, _encoding, done) => {
      logged += String(chunk);
      done();
    },
  }),
);
const carry = (options: SmtpOptions | undefined) => {
  const mail = options && createSmtp(options);
  outbox = startOutbox(
    services.db,
    services.sealer,
    outboxHandlers(services, { sms: undefined, mail, links: undefined }),
    log,
  );
  return outbox;
};
const recipients = (...emails: string[]) =>
  db.asOwner('update organisations set audit_emails = $1 where org_id = $2', [emails, ORG]);
const waiting = () =>
  db.asOwner<{ n: number; open: number }>(
    `select count(*)::int as n, count(payload)::int as open from outbox where topic = 'mail' and done_at is null`,
  );
const nextDay = () => db.asOwner(`update clock_offset set shift = shift + interval '1 day'`);
/** A day of the organisation with something in its histories. */
async function live(): Promise<void> {
  await services.db.transaction(ORG, (tx) =>
    audit.append(tx, {
      kind: 'device',
      id: newId(),
      actor: { userId: newId(), userType: 'retailer' },
      action: 'tested',
    }),
  );
  await runDay({ ...services, log: createLog('silent') }, ORG);
}
const lastRoot = async () => (await services.db.read(ORG, (tx) => audit.roots(tx, { limit: 1 })))[0]!;
const messageId = ({ source }: Taken) => /^message-id:\s+(\S+)$/im.exec(source)?.[1];

beforeEach(async () => {
  peer = new Peer();
  logged = '';
  await db.asOwner(`delete from outbox where topic = 'mail'`);
  await nextDay();
});
afterEach(async () => {
  await outbox?.stop();
  outbox = undefined;
  await peer.down();
});

describe('the daily root by e-mail', () => {
  test('reaches each address once, with organisation, day, root, the one before, how many histories grew, and how to check', async () => {
    await recipients('owner@asha.example', 'auditor@books.example');
    await peer.up();
    await live();
    await nextDay();
    const before = await lastRoot();
    await live();
    const root = await lastRoot();
    await carry(peer.options()).drain();
    await vi.waitFor(() => expect(peer.taken).toHaveLength(4));
    const ofToday = peer.taken.filter(({ source }) => source.includes(`Root: ${root.root}`));
    expect(ofToday.map(({ to }) => to).toSorted()).toEqual(['auditor@books.example', 'owner@asha.example']);
    for (const line of [
      `Organisation: ${ORG} (`,
      `Day: ${root.day}`,
      `Before: ${before.root}`,
      `Histories that grew: ${root.heads}`,
      `kist audit verify ${ORG} --root ${root.root}`,
    ])
      expect(ofToday[0]!.source.replaceAll(/=\r?\n/g, '')).toContain(line);
    expect(new Set(peer.taken.map(messageId)).size).toBe(2);
    await runDay({ ...services, log: createLog('silent') }, ORG);
    expect(await outbox!.drain()).toBe(0);
    expect(await waiting()).toEqual([{ n: 0, open: 0 }]);
  });

  test('is promised in the transaction of the root, sealed, and waits while the mail server is away; then it goes out, once', async () => {
    await recipients('owner@asha.example');
    await peer.up();
    const options = peer.options();
    await peer.down();
    await live();
    await carry(options).drain();
    expect(peer.taken).toEqual([]);
    expect(await waiting()).toEqual([{ n: 1, open: 0 }]);
    await peer.up();
    await vi.waitFor(() => expect(peer.taken).toHaveLength(1), 8000);
    await vi.waitFor(async () => expect(await waiting()).toEqual([{ n: 0, open: 0 }]), 8000);
    expect(await outbox!.drain()).toBe(0);
    expect(peer.taken).toHaveLength(1);
  });

  test('a second try of one mail is the same mail to whoever reads it', async () => {
    await recipients('owner@asha.example');
    await peer.up();
    await live();
    await db.asOwner(`update outbox set next_attempt_at = now() + interval '1 hour' where topic = 'mail'`);
    const [row] = await db.asOwner<{ id: string; sealed: Buffer }>(
      `select id, sealed from outbox where topic = 'mail' and done_at is null`,
    );
    const payload: unknown = JSON.parse(
      services.sealer.open(row!.sealed, `${ORG}|outbox|sealed|${row!.id}`).toString(),
    );
    const send = outboxHandlers(services, { sms: undefined, mail: createSmtp(peer.options()), links: undefined })[
      'mail'
    ]!;
    for (const attempt of [1, 2])
      await send({ orgId: ORG, id: row!.id, topic: 'mail', payload, attempt }, new AbortController().signal);
    const ids = peer.taken.map(messageId);
    expect(ids).toHaveLength(2);
    expect(ids[0]).toMatch(/^<audit-root\.20\.\d{4}-\d\d-\d\d\.[0-9a-f]{32}@house\.example>$/);
    expect(ids[1]).toBe(ids[0]);
  });

  test('an address that is refused keeps no other from its mail, is tried again, and stands in no log', async () => {
    await recipients('gone@asha.example', 'auditor@books.example');
    peer.refused.add('gone@asha.example');
    await peer.up();
    await live();
    await carry(peer.options()).drain();
    await vi.waitFor(() => expect(peer.taken.map(({ to }) => to)).toEqual(['auditor@books.example']));
    expect(await waiting()).toEqual([{ n: 1, open: 0 }]);
    expect(logged).toContain('"code":"550"');
    expect(logged).not.toMatch(/gone@|auditor@|nobody here/);
    peer.refused.clear();
    await vi.waitFor(() => expect(peer.taken).toHaveLength(2), 8000);
    expect(peer.taken[1]!.to).toBe('gone@asha.example');
  });

  test('goes to the administrators where the organisation names nobody, and is promised to nobody where there is no address at all', async () => {
    await recipients();
    await live();
    expect(await waiting()).toEqual([{ n: 0, open: 0 }]);
    await db.asOwner(
      `insert into users (org_id, user_id, user_type, first_name, mobile, email) values ($1, $2, 'admin', 'Meera', '+919000000177', 'meera@asha.example')`,
      [ORG, newId()],
    );
    await nextDay();
    await peer.up();
    await live();
    await carry(peer.options()).drain();
    await vi.waitFor(() => expect(peer.taken.map(({ to }) => to)).toEqual(['meera@asha.example']));
  });

  test('waits and fails aloud while no mail server is set', async () => {
    await recipients('owner@asha.example');
    await live();
    await carry(undefined).drain();
    expect(await waiting()).toEqual([{ n: 1, open: 0 }]);
    expect(logged).toContain('no mail server is configured');
  });
});

describe('the mail server', () => {
  const mail = { to: 'owner@asha.example', subject: 'Root', text: 'Day: 2026-01-31', reference: 'r.1' };
  const send = (options: SmtpOptions) => createSmtp(options).send(mail, new AbortController().signal);
  const refusal = (options: SmtpOptions) =>
    send(options).then(
      () => 'taken',
      (error: MailRefusal) => error.code,
    );

  test('is signed in to with the account; a wrong password is refused without its words', async () => {
    await peer.up({ disabledCommands: ['STARTTLS'], allowInsecureAuth: true });
    await send(peer.options({ account: { user: 'kist', password: PASSWORD } }));
    expect(peer.taken).toHaveLength(1);
    const wrong = send(peer.options({ account: { user: 'kist', password: `${PASSWORD}!` } }));
    const error = await wrong.catch((one: Error) => one);
    expect(error).toMatchObject({ name: 'MailRefusal', code: '535' });
    expect(error).not.toHaveProperty('cause');
    log.error({ err: error }, 'tried');
    expect(`${logged}${String(error)}${(error as Error).stack}`).not.toContain(PASSWORD);
  });

  test('gets neither password nor mail over a connection whose certificate nobody vouches for', async () => {
    await peer.up({ secure: true, authOptional: true });
    const { url } = peer.options();
    const options = peer.options({
      url: url.replace('smtp:', 'smtps:'),
      account: { user: 'kist', password: PASSWORD },
    });
    expect(await refusal(options)).toMatch(/^(ESOCKET|ETLS|DEPTH_ZERO_SELF_SIGNED_CERT|CERT)/);
    expect(peer.taken).toEqual([]);
  });

  test('of another machine gets nothing in the clear: no sign-in and no mail where it offers no encryption', async () => {
    await peer.up({ disabledCommands: ['STARTTLS'], authOptional: true, allowInsecureAuth: true });
    const { url } = peer.options();
    // This machine, by a name that does not say so.
    const elsewhere = url.replace('127.0.0.1', '0.0.0.0');
    for (const account of [undefined, { user: 'kist', password: PASSWORD }])
      expect(await refusal(peer.options({ url: elsewhere, account }))).not.toBe('taken');
    expect(peer.taken).toEqual([]);
    expect(await refusal(peer.options())).toBe('taken');
  });

  test('stops when the outbox says so', async () => {
    await peer.up({ disabledCommands: ['STARTTLS'], authOptional: true, onMailFrom: () => undefined });
    const stopping = new AbortController();
    const sent = createSmtp(peer.options()).send(mail, stopping.signal);
    setTimeout(() => stopping.abort(), 50);
    await expect(sent).rejects.toMatchObject({ code: 'EABORT' });
  });
});
