import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { SmsGateway } from './clouds/sms-gateway.ts';
import { serveRoutes } from './http/http-server.ts';

export interface GatewayOptions {
  port: number;
  /** Made when missing. */
  secretFile: string;
}

/**
 * The SMS gateway alone, in memory: for trying a production server out where no real gateway is at hand. Messages go nowhere; they are read at
 * `/sms/outbox`.
 */
export async function serveGateway({
  port,
  secretFile,
}: GatewayOptions): Promise<{ port: number; close: () => Promise<void> }> {
  if (!existsSync(secretFile)) writeFileSync(secretFile, randomBytes(32).toString('hex'), { mode: 0o600 });
  const gateway = new SmsGateway({ secret: readFileSync(secretFile, 'utf8').trim(), nowMs: Date.now });
  const running = await serveRoutes(gateway.routes(), port);
  return {
    port: running.port,
    close: () => {
      gateway.stop();
      return running.close();
    },
  };
}
