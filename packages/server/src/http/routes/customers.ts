import { planName } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import type { Waker } from '#server/commands/wake.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import { type ShownCode, typedCode } from '#server/devices/codes.ts';
import * as devices from '#server/devices/devices.ts';
import { qrPng, qrSvg } from '#server/platform/qr-image.ts';
import type { Locking } from '#server/locking/locking.ts';
import type { Notices } from '#server/notices/notices.ts';
import * as reports from '#server/reports/reports.ts';
import * as sales from '#server/sales/sales.ts';
import * as wallet from '#server/wallet/wallet.ts';
import type { App } from '#server/http/app-types.ts';
import { CommittedRefusal } from '#server/http/committed-refusal.ts';
import { route } from '#server/http/route.ts';

/** A code for the camera, and a short one to type when the camera will not read; where organisations are too many for that, the token itself. */
const shown = (orgId: number, { text, token, expiresAt }: ShownCode) => ({
  qr: text,
  manual_code: typedCode(orgId, token) ?? token,
  expires_at: expiresAt.toISOString(),
});
const NO_CODE = { qr: null, manual_code: null, expires_at: null };

const setUpReply = (orgId: number, setUp: sales.SetUp, issued?: ShownCode, image: 'png' | 'svg' | 'text' = 'text') => {
  const { is_enrolled, enrolled_at, offers_code, status } = setUp;
  const code = issued ? shown(orgId, issued) : NO_CODE;
  return {
    is_enrolled,
    enrolled_at: enrolled_at?.toISOString() ?? null,
    offers_code,
    status,
    ...code,
    image: code.qr === null || image === 'text' ? null : image === 'svg' ? qrSvg(code.qr) : qrPng(code.qr),
  };
};

interface Deps extends sales.RevisingDeps {
  waker: Pick<Waker, 'signal'>;
  notices: Pick<Notices, 'send' | 'numberChanges'>;
  locking: Pick<Locking, 'consented' | 'letGoOfCancelled' | 'letGoOfExchanged' | 'duesChanged'>;
}

/** New terms for what is not due yet of a running agreement. */
function revisingRoutes(app: App, deps: sales.RevisingDeps): void {
  route(app, 'previewEmiEdit', ({ db, actor, body }) =>
    db.read(actor.orgId, (tx) => sales.previewEdit(tx, actor, body)),
  );
  // Kept under no idempotency key: a code that was asked for again is another.
  route(app, 'sendEmiEditCode', ({ db, actor, body }) =>
    db.transaction(actor.orgId, (tx) => sales.sendEditCode(tx, actor, body)),
  );
  route(app, 'updateEmiDetails', async ({ tx, actor, body }) => {
    const outcome = await sales.edit(tx, deps, actor, body);
    return outcome instanceof KistError ? new CommittedRefusal(outcome) : outcome;
  });
}

/** What begins and ends an agreement beside its signature: the customer's consent, cancelling it, and another phone under it. */
function agreementRoutes(app: App, { locking, notices }: Deps): void {
  // Neither is kept under an idempotency key: a code that was asked for again is another, and a presented one counts each time.
  route(app, 'sendConsentCode', ({ db, actor, body }) =>
    db.transaction(actor.orgId, (tx) => sales.sendConsentCode(tx, actor, body)),
  );
  route(app, 'collectConsent', async ({ db, actor, body }) => {
    const outcome = await db.transaction(actor.orgId, (tx) => sales.collectConsent(tx, actor, body, locking.consented));
    if (outcome instanceof KistError) throw outcome;
    return outcome;
  });
  route(app, 'previewCancellation', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => sales.previewCancellation(tx, actor, query)),
  );
  route(app, 'cancelAgreement', ({ tx, actor, body }) =>
    sales.cancelAgreement(tx, actor, body, locking.letGoOfCancelled),
  );
  route(app, 'previewExchange', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => sales.previewExchange(tx, actor, query)),
  );
  route(app, 'sendNumberCode', ({ db, actor, body }) =>
    db.transaction(actor.orgId, (tx) => sales.sendNumberCode(tx, actor, body)),
  );
  route(app, 'updateCustomerDetails', async ({ tx, actor, body }) => {
    if (body.edit === 'IMEI_EDIT') return sales.exchangePhone(tx, actor, body, locking.letGoOfExchanged);
    const outcome = await sales.changeDetails(tx, notices, actor, body);
    return outcome instanceof KistError ? new CommittedRefusal(outcome) : outcome;
  });
}

/** Sales whose loan a financer made, and who lends. */
function financingRoutes(app: App): void {
  route(app, 'createCustomerHdb', ({ tx, actor, body }) => sales.registerFinanced(tx, actor, body));
  for (const name of ['listFinancers', 'financerList'] as const)
    route(app, name, ({ db, actor }) => db.read(actor.orgId, (tx) => sales.lenders(tx)));
}

/** What sets a phone up, and how far that is. */
function setUpRoutes(app: App, { waker }: Pick<Deps, 'waker'>): void {
  // A GET that changes state: the specification's own list of calls names it so, and clients in use call it so.
  route(app, 'generateEmmCode', ({ db, actor, query }) =>
    db.transaction(actor.orgId, async (tx) => {
      const { code, ...made } = await sales.makeCode(tx, actor, query);
      return { ...shown(actor.orgId, code), ...made };
    }),
  );
  // Not kept under an idempotency key: the reply is a secret, and asked again it makes another.
  route(app, 'generateLinkCode', ({ db, actor, body }) =>
    db.transaction(actor.orgId, async (tx) => {
      const { code, ...made } = await sales.makeLink(tx, actor, body);
      return { link: code.text, expires_at: code.expiresAt.toISOString(), ...made };
    }),
  );
  route(app, 'getDeepLink', ({ db, actor, query }) =>
    db.transaction(actor.orgId, async (tx) => {
      const { code, is_enrolled } = await sales.deepLink(tx, actor, query);
      return { link: code.text, expires_at: code.expiresAt.toISOString(), is_enrolled };
    }),
  );
  route(app, 'checkStatus', ({ db, actor, body }) =>
    db.transaction(actor.orgId, async (tx) => {
      const { status, is_enrolled, enrolled_at, last_seen_at, is_asked } = await sales.checkStatus(
        tx,
        actor,
        body,
        waker,
      );
      const [at, seen] = [enrolled_at, last_seen_at].map((instant) => instant?.toISOString() ?? null);
      return { status, is_enrolled, enrolled_at: at ?? null, last_seen_at: seen ?? null, is_asked };
    }),
  );
  route(app, 'getCustomerQrCode', async ({ db, actor, query: { image, ...query } }) => {
    if (image === 'none')
      return setUpReply(actor.orgId, await db.read(actor.orgId, (tx) => sales.setUpOf(tx, actor, query)));
    const { code, ...setUp } = await db.transaction(actor.orgId, (tx) => sales.showCode(tx, actor, query));
    return setUpReply(actor.orgId, setUp, code, image);
  });
}

/** Customers from the first step to the phone's QR. */
export function customerRoutes(app: App, deps: Deps): void {
  agreementRoutes(app, deps);
  revisingRoutes(app, deps);
  for (const name of ['listCustomers', 'listCustomersKeygen'] as const)
    route(app, name, ({ db, actor, query }) => db.read(actor.orgId, (tx) => reports.customerList(tx, actor, query)));
  route(app, 'registerCustomer', ({ tx, actor, body }) => sales.register(tx, actor, body));
  route(app, 'getCustomerProfile', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => reports.customerProfile(tx, actor, query)),
  );
  route(app, 'deleteDraft', ({ tx, actor, body }) => sales.deleteDraft(tx, actor, body));
  setUpRoutes(app, deps);
  financingRoutes(app);
  route(app, 'listPlans', ({ db, actor, query }) => db.read(actor.orgId, (tx) => sales.plans(tx, actor, query)));
  route(app, 'getPhoneModel', async ({ db, actor, query }) => {
    // The operator's table stands first: a name mistyped in one sale would otherwise outrank it for good.
    const known = await db.read(actor.orgId, async (tx) => {
      const registered = await devices.phoneModel(tx, actor, query);
      return (await catalogue.phoneModel(tx, query)) ?? registered;
    });
    return known ?? { brand: null, model: null };
  });
  route(app, 'transferKeys', ({ tx, actor, body }) => wallet.transferKeys(tx, actor, body));
  route(app, 'takeBackKeys', ({ tx, actor, body }) => wallet.takeBackKeys(tx, actor, body));
  route(app, 'getKeys', ({ db, actor }) =>
    db.read(actor.orgId, async (tx) => {
      const prices = await catalogue.keyPrices(tx);
      return (await wallet.ownKeys(tx, actor)).map((row) => ({
        ...row,
        name: planName(row.plan_type) ?? '',
        price_paise: prices.get(row.plan_type) ?? null,
      }));
    }),
  );
}
