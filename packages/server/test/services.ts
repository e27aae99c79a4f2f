import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { type Services, composeServices } from '#server/compose.ts';
import { createLog } from '#server/platform/log.ts';
import { newSigningKeyPem, signingKeyFromPem } from '#server/platform/signing-key.ts';
import { atEnd } from './at-end.ts';
import type { TestDatabase } from './database.ts';

/** What a test serves with: its `db` is the one given, whose transactions carry the ports. */
export type TestServices = Omit<Services, 'db'> & { db: TestDatabase };

/** Every service wired as in production, with keys of its own and no gateway. The caller closes its waker, and asks through the `db` of the services. */
export function createServices(db: TestDatabase): TestServices {
  const url = 'http://127.0.0.1';
  const blobsDir = mkdtempSync(path.join(tmpdir(), 'kist-files-'));
  atEnd(() => rmSync(blobsDir, { recursive: true, force: true }));
  const services = composeServices({
    db,
    config: {
      keys: { current: 1, keys: new Map([[1, Buffer.alloc(32, 7)]]) },
      pepper: Buffer.alloc(32, 7),
      agentKey: signingKeyFromPem(newSigningKeyPem()),
      agentPackage: { url: `${url}/agent.apk`, signatureChecksum: 'checksum', revocationsFile: undefined },
      publicUrl: url,
      ownUrl: url,
      sms: undefined,
      smtp: undefined,
      guard: undefined,
      blobsDir,
      s3: undefined,
    },
    log: createLog('silent'),
  });
  return { ...services, db: db.with(services.db.ports) };
}
