import { composeServices } from '#server/compose.ts';
import { runDay } from '#server/jobs/daily-run.ts';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import { openDatabase } from '#server/platform/database.ts';
import { createLog } from '#server/platform/log.ts';
import { newSigningKeyPem, signingKeyFromPem } from '#server/platform/signing-key.ts';

/** A program that lives the day of one organisation, or carries out orders to many, and ends, for tests that kill it: says `begun` when it is connected. */
const { connection, orgId, work } = JSON.parse(process.argv[2] ?? '{}') as {
  connection: ConnectionConfig;
  orgId: number;
  work?: 'batches';
};
const url = 'http://127.0.0.1';
const database = openDatabase({ connection, onIdleError: () => undefined, appConnections: 3, deviceConnections: 1 });
const services = composeServices({
  db: database,
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
    // Neither work opens a picture.
    blobsDir: '/nonexistent',
    s3: undefined,
  },
  log: createLog('silent'),
});
await database.ping();
process.stdout.write('begun\n');
if (work === 'batches') await services.batches.drain();
else await runDay({ ...services, log: createLog('silent') }, orgId);
await services.waker.close();
await database.close();
