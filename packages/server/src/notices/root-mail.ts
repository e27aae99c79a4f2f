import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type IsoDate, formatDate } from '@kist/contract/dates';
import type { Sealer } from '#server/platform/crypto.ts';
import type { Tx } from '#server/platform/database.ts';
import { type OutboxHandler, append } from '#server/platform/outbox.ts';
import type { Mail, MailProvider } from './providers/mail.ts';

/** Where every root stands for whoever asks. */
export const PUBLIC_AUDIT_PATH = '/public/audit';
/** The outbox's topic of mails. */
export const MAIL_TOPIC = 'mail';
/** An address that takes none for so long is told no more of that day: every later root stands on it. */
const TTL_S = 30 * 86_400;

/** A day's root, to be told to whoever keeps it. */
export interface MailedRoot {
  orgId: number;
  name: string;
  slug: string;
  day: IsoDate;
  heads: number;
  prev_root: string;
  root: string;
}

const mailSchema = z.object({ to: z.string(), subject: z.string(), text: z.string(), reference: z.string() });

/** Promises the day's root to each address, in the transaction that makes the root: one without the other does not exist. */
export async function promiseRootMail(
  tx: Tx,
  {
    recipients,
    root,
    publicUrl,
    sealer,
  }: {
    recipients: readonly string[];
    root: MailedRoot;
    publicUrl: string;
    sealer: Sealer | undefined;
  },
): Promise<void> {
  const mail = rootMail(root, publicUrl);
  for (const to of recipients)
    await append(tx, {
      topic: MAIL_TOPIC,
      payload: { ...mail, to } satisfies Mail,
      ttlS: TTL_S,
      ...(sealer && { sealer }),
    });
}

/** Carries the outbox's mails. Without a mail server nothing is sent and every try fails aloud. */
export const createMailSender =
  (provider: MailProvider | undefined): OutboxHandler =>
  async ({ payload }, signal) => {
    const mail = mailSchema.parse(payload);
    if (!provider) throw new Error('no mail server is configured');
    await provider.send(mail, signal);
  };

/** In the words of the command line that checks it; `kist audit verify --root` reads the lines of day, root and root before. */
export function rootMail(root: MailedRoot, publicUrl: string): Omit<Mail, 'to'> {
  const { orgId, name, slug, day, heads } = root;
  const text = `The histories of ${name} were sealed on ${formatDate(day)}.

Organisation: ${orgId} (${slug})
Day: ${day}
Histories that grew: ${heads}
Root: ${root.root}
Before: ${root.prev_root || 'none'}

Keep this mail where nobody who runs the server can change it. The root
covers every history of the organisation up to this day, and the root
before it. If a history, or a root, is ever deleted or rewritten, this mail
proves it.

To check, on the server, with this mail saved as a file, or with the root
alone:

  kist audit verify ${orgId} --root mail.eml
  kist audit verify ${orgId} --root ${root.root}

It says what is missing or changed, and ends with 1 if anything is.
The same roots stand here, for anyone to read:
${publicUrl}${PUBLIC_AUDIT_PATH}/${slug}
`;
  return { subject: `Audit root of ${name}, ${formatDate(day)}`, text, reference: referenceOf(root) };
}

/** The same root is the same mail, however often it is sent. */
function referenceOf({ orgId, day, root }: MailedRoot): string {
  const digest = createHash('sha256').update(`${orgId}|${day}|${root}`).digest('hex');
  return `audit-root.${orgId}.${day}.${digest.slice(0, 32)}`;
}
