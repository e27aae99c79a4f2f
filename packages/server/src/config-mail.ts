import type { Environment } from '#server/config.ts';

/** The server that takes mail, and as whom. */
export interface SmtpSettings {
  /** Without an account in it. */
  url: string;
  account: { user: string; password: string } | undefined;
  from: string;
}

/** Undefined: no mail is sent. */
export function smtpOf(env: Environment): SmtpSettings | undefined {
  const { KIST_SMTP_URL: url, KIST_SMTP_USER: user, KIST_SMTP_PASSWORD: password, KIST_MAIL_FROM: from } = env;
  if (url === undefined || from === undefined) return undefined;
  return { url, account: user === undefined ? undefined : { user, password: password ?? '' }, from };
}

/** What is missing, or stands where it can be read; one sentence each, without values. */
export function smtpProblems(env: Environment): string[] {
  const { KIST_SMTP_URL: url, KIST_SMTP_USER: user, KIST_SMTP_PASSWORD: password, KIST_MAIL_FROM: from } = env;
  if (url === undefined) return [];
  const { username: inUser, password: inPassword, hostname } = new URL(url);
  return [
    hostname === '' && 'KIST_SMTP_URL names no host: smtps://mail.example.in or smtp://mail.example.in:587.',
    (inUser !== '' || inPassword !== '') &&
      'KIST_SMTP_URL holds an account: an address is shown where a password must not be. Use KIST_SMTP_USER and KIST_SMTP_PASSWORD.',
    from === undefined && 'KIST_MAIL_FROM is missing: KIST_SMTP_URL needs an address that mails are from.',
    (user === undefined) !== (password === undefined) &&
      'KIST_SMTP_USER and KIST_SMTP_PASSWORD go together: one of them is missing.',
  ].filter((problem) => problem !== false);
}
