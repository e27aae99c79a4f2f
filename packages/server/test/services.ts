import { type Services, composeServices } from '#server/compose.ts';
import type { Database } from '#server/platform/database.ts';
import { createLog } from '#server/platform/log.ts';
import { newSigningKeyPem, signingKeyFromPem } from '#server/platform/signing-key.ts';

/** Every service wired as in production, with keys of its own and no gateway. The caller closes its waker. */
export function createServices(db: Database): Services {
  const url = 'http://127.0.0.1';
  return composeServices({
    db,
    config: {
      keys: { current: 1, keys: new Map([[1, Buffer.alloc(32, 7)]]) },
      agentKey: signingKeyFromPem(newSigningKeyPem()),
      agentPackage: { url: `${url}/agent.apk`, signatureChecksum: 'checksum' },
      publicUrl: url,
      ownUrl: url,
      sms: undefined,
    },
    log: createLog('silent'),
  });
}
