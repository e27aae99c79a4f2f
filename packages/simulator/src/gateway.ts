import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { MailServer } from './clouds/mail-server.ts';
import { SmsGateway } from './clouds/sms-gateway.ts';
import { serveRoutes } from './http/http-server.ts';

export interface GatewayOptions {
  port: number;
  /** Made when missing. */
  secretFile: string;
  /** Where mail is taken by SMTP; undefined: nowhere. */
  smtpPort?: number | undefined;
}

/**
 * The SMS gateway alone, in memory, with a mail server beside it when asked: for trying a production server out where no real ones are at hand. Messages go
 * nowhere; they are read at `/sms/outbox` and `/mail/outbox`.
 */
export async function serveGateway({ port, secretFile, smtpPort }: GatewayOptions): Promise<{
  port: number;
  /** Of the mail server. */
  smtpPort: number | undefined;
  close: () => Promise<void>;
}> {
  if (!existsSync(secretFile)) writeFileSync(secretFile, randomBytes(32).toString('hex'), { mode: 0o600 });
  const gateway = new SmsGateway({ secret: readFileSync(secretFile, 'utf8').trim(), nowMs: Date.now });
  const mail = smtpPort === undefined ? undefined : new MailServer({ nowMs: Date.now });
  const running = await serveRoutes([...gateway.routes(), ...(mail?.routes() ?? [])], port);
  return {
    port: running.port,
    smtpPort: smtpPort === undefined ? undefined : await mail?.listen(smtpPort),
    close: async () => {
      gateway.stop();
      await mail?.stop();
      await running.close();
    },
  };
}
