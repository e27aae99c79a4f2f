import { createTransport } from 'nodemailer';
import { type MailProvider, MailRefusal } from './mail.ts';

export interface SmtpOptions {
  /** `smtps://host:465`, or `smtp://host:587`, which is encrypted by STARTTLS before anything is said. */
  url: string;
  /** None: the server takes mail without a sign-in. */
  account: { user: string; password: string } | undefined;
  from: string;
}

const SUBMISSIONS_PORT = 465;
const SUBMISSION_PORT = 587;
/** Each of the library's waits; all of them together end with the outbox's own signal. */
const TIMEOUT_MS = 8000;

/** A mail server by SMTP: over TLS whose certificate is good, or on this very machine, or not at all. */
export function createSmtp({ url, account, from }: SmtpOptions): MailProvider {
  const { protocol, hostname, port } = new URL(url);
  const secure = protocol === 'smtps:';
  const isHere = isLoopback(hostname);
  const transport = createTransport({
    host: hostname.replace(/^\[|\]$/g, ''),
    port: Number(port) || (secure ? SUBMISSIONS_PORT : SUBMISSION_PORT),
    secure,
    // A mail server of this machine seldom has a certificate; nothing leaves it.
    ...(secure ? {} : isHere ? { ignoreTLS: true } : { requireTLS: true }),
    tls: { minVersion: 'TLSv1.2' },
    ...(account && { auth: { user: account.user, pass: account.password } }),
    connectionTimeout: TIMEOUT_MS,
    greetingTimeout: TIMEOUT_MS,
    socketTimeout: TIMEOUT_MS,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  return {
    async send({ to, subject, text, reference }, signal) {
      try {
        await transport.sendMail({
          from,
          to,
          subject,
          text,
          messageId: `<${reference}@${domain}>`,
          // Lines that `kist audit verify` reads again stay lines.
          textEncoding: 'quoted-printable',
          headers: { 'Auto-Submitted': 'auto-generated' },
          signal,
        });
      } catch (error) {
        const { responseCode, code } = error as { responseCode?: number; code?: string };
        throw new MailRefusal(String(responseCode ?? code ?? 'unknown'));
      }
    },
  };
}

/** This machine itself, by whatever name. */
export const isLoopback = (hostname: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
