import { createHash, randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';
import type { Route } from '#simulator/http/http-server.ts';

/**
 * A mail server that takes what it is given by SMTP on loopback and delivers it nowhere: for the demo and for trying a production server out.
 *
 *   GET /mail/outbox   newest first: [{mail_id, message_id, from, to, subject, text, at}]
 */
export interface KeptMail {
  mail_id: string;
  /** Of its header: one mail that came twice is one. */
  message_id: string;
  from: string;
  to: string[];
  subject: string;
  text: string;
  at: string;
}

export interface MailServerOptions {
  nowMs: () => number;
  /** Mails kept from an earlier run. */
  kept?: KeptMail[];
  onChange?: (mails: readonly KeptMail[]) => void;
}

const KEEP = 200;
const MAX_BYTES = 1024 * 1024;

export class MailServer {
  readonly #options: MailServerOptions;
  readonly #mails: KeptMail[];
  readonly #server: SMTPServer;

  constructor(options: MailServerOptions) {
    this.#options = options;
    this.#mails = [...(options.kept ?? [])];
    this.#server = new SMTPServer({
      // It stands on this machine and has no certificate.
      disabledCommands: ['STARTTLS', 'AUTH'],
      authOptional: true,
      logger: false,
      size: MAX_BYTES,
      onData: (stream, session, done) => {
        const parts: Buffer[] = [];
        stream.on('data', (part: Buffer) => parts.push(part));
        stream.on('end', () => {
          if (stream.sizeExceeded) return done(Object.assign(new Error('too large'), { responseCode: 552 }));
          const { mailFrom, rcptTo } = session.envelope;
          this.#keep(
            Buffer.concat(parts),
            mailFrom ? mailFrom.address : '',
            rcptTo.map(({ address }) => address),
          );
          return done();
        });
      },
    });
    // A client that goes away in the middle is no news.
    this.#server.on('error', () => undefined);
  }

  /** @returns the port it listens on */
  async listen(port: number): Promise<number> {
    await new Promise<void>((resolve, reject) => {
      this.#server.server.once('error', reject);
      this.#server.listen(port, '127.0.0.1', () => resolve());
    });
    return (this.#server.server.address() as AddressInfo).port;
  }

  /** Newest first. */
  outbox(): KeptMail[] {
    return this.#mails.toReversed();
  }

  routes(): Route[] {
    return [{ method: 'GET', path: '/mail/outbox', handle: () => this.outbox() }];
  }

  stop(): Promise<void> {
    return new Promise((resolve) => this.#server.close(() => resolve()));
  }

  #keep(source: Buffer, from: string, to: string[]): void {
    const { headers, text } = readMail(source.toString('utf8'));
    const message_id = headers.get('message-id') ?? createHash('sha256').update(source).digest('hex');
    const isKnown = this.#mails.some((one) => one.message_id === message_id && one.to.join() === to.join());
    if (isKnown) return;
    const at = new Date(this.#options.nowMs()).toISOString();
    const subject = decodeWords(headers.get('subject') ?? '');
    this.#mails.push({ mail_id: randomUUID(), message_id, from, to, subject, text, at });
    this.#mails.splice(0, Math.max(0, this.#mails.length - KEEP));
    this.#options.onChange?.(this.#mails);
  }
}

/** A mail of one plain text, which is all that this server is sent. */
function readMail(source: string): { headers: Map<string, string>; text: string } {
  const end = source.search(/\r?\n\r?\n/);
  const head = end < 0 ? source : source.slice(0, end);
  const body = end < 0 ? '' : source.slice(end).replace(/^\r?\n\r?\n/, '');
  const headers = new Map(
    head
      .replaceAll(/\r?\n[ \t]+/g, ' ')
      .split(/\r?\n/)
      .map((line): [string, string] => [
        line.slice(0, line.indexOf(':')).toLowerCase(),
        line.slice(line.indexOf(':') + 1).trim(),
      ]),
  );
  const isQuoted = headers.get('content-transfer-encoding')?.toLowerCase() === 'quoted-printable';
  return { headers, text: isQuoted ? unquote(body.replaceAll(/=\r?\n/g, '')) : body };
}

/** Bytes written as `=E0`, in UTF-8. */
const unquote = (text: string): string =>
  text.replaceAll(/(?:=[0-9A-F]{2})+/gi, (run) => Buffer.from(run.replaceAll('=', ''), 'hex').toString('utf8'));

/** Words of a header that are not ASCII: `=?UTF-8?Q?…?=`, `=?UTF-8?B?…?=`. */
const decodeWords = (text: string): string =>
  text
    .replaceAll(/\?=\s+=\?/g, '?==?')
    .replaceAll(/=\?utf-8\?([QB])\?(.*?)\?=/gi, (_all, kind: string, word: string) =>
      kind.toUpperCase() === 'B' ? Buffer.from(word, 'base64').toString('utf8') : unquote(word.replaceAll('_', ' ')),
    );
