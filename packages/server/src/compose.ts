import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { SetupRequest } from '@kist/contract/agent';
import { CUSTOMER_STATUS, LANGUAGES, type Language } from '@kist/contract/codes';
import * as commands from '#server/commands/commands.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import * as customers from '#server/customers/customers.ts';
import type { Config } from '#server/config.ts';
import { createMetrics } from '#server/http/metrics.ts';
import { SMS_HOOK_PATH } from '#server/http/routes/hooks.ts';
import type { Adapter, VendorPorts } from '#server/commands/adapter.ts';
import { createAndroidAgent } from '#server/commands/adapters/android-agent/android-agent.ts';
import { createGuard } from '#server/commands/adapters/guard/guard.ts';
import { createDispatcher } from '#server/commands/dispatch.ts';
import { createAgentPlane } from '#server/commands/adapters/android-agent/agent-plane.ts';
import type { OnReports } from '#server/devices/changes.ts';
import type { Attests } from '#server/commands/adapters/android-agent/attestation.ts';
import { GOOGLE_ROOTS } from '#server/commands/adapters/android-agent/google-roots.ts';
import { createOffer } from '#server/commands/adapters/android-agent/offer.ts';
import { createPlane, type Plane } from '#server/commands/plane.ts';
import type { Enrolled } from '#server/devices/enrolment.ts';
import { createCodes, redeem } from '#server/devices/codes.ts';
import { createRevocations } from '#server/commands/adapters/android-agent/revocations.ts';
import { createServerKey } from '#server/commands/adapters/android-agent/server-key.ts';
import { type Waker, NO_PHONE, createWaker } from '#server/commands/wake.ts';
import * as documents from '#server/documents/documents.ts';
import * as identity from '#server/identity/identity.ts';
import { createBatches } from '#server/jobs/batches.ts';
import { createLocking, type Locking } from '#server/locking/locking.ts';
import type { LockingDeps } from '#server/locking/deps.ts';
import { createNotices, type Notices } from '#server/notices/notices.ts';
import { rememberBells } from '#server/notices/notifications.ts';
import { createGateway } from '#server/notices/providers/gateway.ts';
import { createHttpGateway } from '#server/notices/providers/http-gateway.ts';
import { createSmtp } from '#server/notices/providers/smtp.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { createPayments } from '#server/payments/payments.ts';
import { createBlobs } from '#server/platform/kept-files.ts';
import { createSealer, hmacSha256 } from '#server/platform/crypto.ts';
import type { Database, Tx } from '#server/platform/database.ts';
import type { Log } from '#server/platform/log.ts';
import type { Ports } from '#server/platform/ports.ts';
import * as reports from '#server/reports/reports.ts';
import * as wallet from '#server/wallet/wallet.ts';

/** Android's name of the agent's device administrator. */
const AGENT_COMPONENT = 'in.kist.agent/.AdminReceiver';

/** The languages' files, shared with the app: consent clauses are signed in the words that were on the screen. */
export const localesDir = path.join(import.meta.dirname, '../../web/public/locales');

/** India's PIN codes, shared with the app, which fills forms from them. */
const placesOf = {
  pincodes: path.join(import.meta.dirname, '../../web/public/pincodes'),
  towns: path.join(import.meta.dirname, '../reference/towns-of-india.txt'),
};

/** @returns the server's own copy of a consent clause; the fallback is English, like everywhere. */
function consentTexts(): (version: string, language: Language) => string | undefined {
  const texts = new Map<string, string>();
  for (const language of LANGUAGES) {
    const file: { consent?: Record<string, string> } = JSON.parse(
      readFileSync(path.join(localesDir, `${language}.json`), 'utf8'),
    );
    for (const [key, text] of Object.entries(file.consent ?? {})) texts.set(`${language} consent.${key}`, text);
  }
  return (version, language) => {
    const key = `consent.text_v${version}`;
    return texts.get(`${language} ${key}`) ?? texts.get(`en ${key}`);
  };
}

export interface ServicesOptions {
  /** Carrying nothing yet: whoever serves takes the `db` of the services, whose transactions carry the process's ports. */
  db: Database;
  config: Pick<
    Config,
    | 'keys'
    | 'pepper'
    | 'agentKey'
    | 'agentPackage'
    | 'publicUrl'
    | 'sms'
    | 'smtp'
    | 'ownUrl'
    | 'guard'
    | 'blobsDir'
    | 's3'
  >;
  log: Log;
}

export type Services = ReturnType<typeof composeServices>;

/** What the process brings along, beside what its services are made of. */
function bring({ db, config, log }: ServicesOptions) {
  const sealer = createSealer(config.keys);
  const callbackUrl = `${config.ownUrl}${SMS_HOOK_PATH}`;
  const gateway = createGateway(config.sms && createHttpGateway({ ...config.sms, callbackUrl }));
  const mail = config.smtp && createSmtp(config.smtp);
  const metrics = createMetrics();
  const failures = metrics.counter('kist_auth_failures_total', 'Wrong codes and M-PINs.', ['kind']);
  const key = createServerKey(config.agentKey.privateKey);
  const program = {
    serverUrl: config.publicUrl,
    component: AGENT_COMPONENT,
    packageUrl: config.agentPackage.url,
    signatureChecksum: config.agentPackage.signatureChecksum,
  };
  const offerOf = createOffer(key, program);
  const ports: Ports = {
    organisations: organisations.rememberOrganisations(),
    identity: {
      pepper: config.pepper,
      sealer,
      canSendCodes: gateway.canSend,
      // No call takes one yet: neither uninstalling nor a code of a phone's own is ordered here.
      stepUpDoors: [],
      watch: identity.createFailureWatch({
        count: (kind) => failures.inc([kind]),
        alarm: (count) => log.error({ count }, 'codes or M-PINs are guessed on many accounts'),
      }),
      sessions: identity.rememberSessions(db.devicePool),
      oidc: identity.createOidcClient(),
    },
    catalogue: { places: catalogue.createPlaces(placesOf) },
    documents: {
      sealer,
      images: documents.createImages(),
      blobs: createBlobs(config),
      linkKey: hmacSha256(config.pepper, 'links to documents'),
    },
    sales: {
      consentText: consentTexts(),
      planes: catalogue.RUNNING_PLANES,
      codes: createCodes(sealer, offerOf, catalogue.RUNNING_PLANES),
    },
    notices: rememberBells(),
    reports: reports.createPages(),
  };
  const linkMaking = {
    linkKey: hmacSha256(config.pepper, 'links to notices'),
    publicUrl: config.publicUrl.replace(/\/$/, ''),
  };
  return { sealer, gateway, mail, metrics, agent: { key, offerOf, program }, linkMaking, ports };
}

/** Who vouches for a phone's key, and for whose agent. */
const attestsOf = ({ agentPackage }: Pick<Config, 'agentPackage'>, log: ServicesOptions['log']): Attests => ({
  program: {
    name: AGENT_COMPONENT.split('/')[0]!,
    signer: Buffer.from(agentPackage.signatureChecksum, 'base64url'),
  },
  roots: GOOGLE_ROOTS,
  isRevoked: createRevocations(agentPackage.revocationsFile, (error) =>
    log.error({ err: error }, 'the list of keys that Google has taken back cannot be read'),
  ),
});

/** Who carries what: one line for each vendor. */
const adaptersOf = ({ guard }: Pick<Config, 'guard'>, waker: Waker, ports: VendorPorts): readonly Adapter[] => [
  createAndroidAgent({ signal: (deviceIds) => waker.signal('wake', deviceIds) }),
  ...(guard ? [createGuard({ ...guard, ports })] : []),
];

/** Who carries what, and who carries from the queue, told when there is something. */
function carrying({ config, log }: Pick<ServicesOptions, 'config' | 'log'>, db: Database, waker: Waker, plane: Plane) {
  const adapters = adaptersOf(config, waker, plane);
  const dispatcher = createDispatcher({
    db,
    adapters,
    ports: plane,
    changed: (deviceIds) => waker.signal('changed', deviceIds),
    onError: (error) => log.error({ err: error }, 'deliveries were not carried'),
  });
  waker.on('queued', NO_PHONE, dispatcher.nudge);
  return { adapters, dispatcher };
}

/** What locks, and what carries out its orders to many. */
function lockingOf(
  db: Database,
  { config, log }: Pick<ServicesOptions, 'config' | 'log'>,
  { waker, notices }: Pick<LockingDeps, 'waker' | 'notices'>,
) {
  const lockingDeps: LockingDeps = {
    waker,
    notices,
    previewKey: hmacSha256(config.pepper, 'dry runs of orders to many'),
    onReleased: customers.release,
    onGone: customers.uninstalled,
    batchAsked: () => batches.nudge(),
  };
  const locking: Locking = createLocking(lockingDeps);
  const batches = createBatches({
    db,
    carryPart: locking.carryPart,
    onError: (error) => log.error({ err: error }, 'a part of an order to many failed; it is tried again'),
  });
  return { lockingDeps, locking, batches };
}

/** Every service of the house, wired once. Nothing here listens, sends or runs by itself. */
export function composeServices(options: ServicesOptions) {
  const { db: bare, log } = options;
  const { ports, ...brought } = bring(options);
  const { sealer, agent, linkMaking } = brought;
  const waker: Waker = createWaker(bare, (error) => log.warn({ err: error }, 'wake hints are not heard'));
  const db = bare.with(ports);
  // Notices and locking need one another: a delivered notice may let the ladder go on, a lock is told to the customer.
  const notices: Notices = createNotices({
    waker,
    sealer,
    links: linkMaking,
    onDelivered: (tx, agreementIds) => locking.noticesDelivered(tx, agreementIds),
  });
  const { lockingDeps, locking, batches } = lockingOf(db, options, { waker, notices });
  const payments = createPayments({
    duesChanged: (tx, actor, agreement, cause) => locking.duesChanged(tx, actor, agreement, cause),
    claimed: (tx, actor, agreement, claim) => locking.paymentClaimed(tx, actor, agreement, claim),
    sendReceipt: (tx, agreement, customer, receipt) => notices.sendReceipt(tx, agreement, customer, receipt),
  });
  const onEnrolled = (tx: Tx, enrolled: Enrolled) => enrolledPhone(tx, locking, enrolled);
  const onReports: OnReports = (tx, changes) => locking.reported(tx, changes);
  const plane: Plane = createPlane({
    db,
    waker,
    onEnrolled,
    onElsewhere: (tx, deviceId) => locking.phoneElsewhere(tx, deviceId),
    onReports,
    onDispute: (tx, dispute) => locking.disputeFromPhone(tx, dispute),
    onGone: (tx, { deviceId }) => locking.phoneGone(tx, deviceId),
    onAccount: (tx, account) => accountChanged(tx, { locking, log }, account),
    onError: (error) => log.error({ err: error }, 'consequences of a check-in were not drawn'),
  });
  const agents = createAgentPlane({ db, key: agent.key, ear: waker, plane, attests: attestsOf(options.config, log) });
  return {
    db,
    ...brought,
    waker,
    notices,
    locking,
    lockingDeps,
    batches,
    payments,
    plane,
    agents,
    ...carrying(options, db, waker, plane),
    onReports,
    redeemCode: (asked: SetupRequest) => redeem(db, ports.sales.codes, asked),
  };
}

/** A phone enrols: its key is spent or it does not enrol; the customer is active, and the phone under the level its agreement stands at. */
async function enrolledPhone(tx: Tx, locking: Locking, enrolled: Enrolled): Promise<void> {
  const { deviceId, customerId, isFirst, replacedLevel } = enrolled;
  const actor = identity.SYSTEM(tx.orgId ?? 0);
  // What the phone had fetched before it was erased is lost with it.
  if (!isFirst) await commands.phoneErased(tx, deviceId);
  const customer_id = customerId;
  const { status } = await customers.authorizeToChange(tx, actor, { customer_id });
  await wallet.spendForEnrolment(tx, actor, { customer_id, isNew: customers.isUnpaidFor(status) });
  await customers.changeStatus(tx, actor, { customer_id, status: CUSTOMER_STATUS.install, reason: 'phone set up' });
  await locking.enrolled(tx, deviceId, replacedLevel);
}

/** A vendor refuses an organisation's account, or takes it again: whoever runs the installation reads it in the log, the administrators at their bell. */
function accountChanged(
  tx: Tx,
  { locking, log }: { locking: Locking; log: Log },
  account: Parameters<Locking['vendorAccount']>[1],
): Promise<void> {
  const of = { orgId: tx.orgId, adapter: account.vendor };
  if (account.refusedFor === null) log.info(of, 'the vendor takes the organisation’s account again');
  else log.error({ ...of, code: account.refusedFor }, 'a vendor refuses the account: none of its phones is reached');
  return locking.vendorAccount(tx, account);
}
