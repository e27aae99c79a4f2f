/** One mail on its way out, to one address. */
export interface Mail {
  to: string;
  subject: string;
  /** Plain text; nothing else is sent. */
  text: string;
  /** What stands before the @ of its Message-ID: the same for every try, so that whoever reads mail sees one. */
  reference: string;
}

/** A way to send mail. */
export interface MailProvider {
  /** @throws MailRefusal when it was not taken; the outbox tries again */
  send(mail: Mail, signal: AbortSignal): Promise<void>;
}

/** The mail server did not take a mail, or was not reached. It says neither to whom it was nor what the server answered in words: both name people. */
export class MailRefusal extends Error {
  override readonly name = 'MailRefusal';
  /** The reply's number, or the library's word for what went wrong. */
  readonly code: string;
  constructor(code: string) {
    super('the mail server did not take the mail');
    this.code = code;
  }
}
