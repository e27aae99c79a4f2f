import type { Language } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import * as agreements from '#server/agreements/agreements.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import type { Codes } from '#server/devices/codes.ts';
import type { Actor } from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';

declare module '#server/platform/ports.ts' {
  interface Ports {
    sales: {
      /** The server's own copy of a consent clause; undefined for a version it never had. */
      consentText(version: string, language: Language): string | undefined;
      /** What can be delivered here. */
      planes: readonly catalogue.Plane[];
      /** Codes that set phones up here. */
      codes: Codes;
    };
  }
}

type LastTerms = Awaited<ReturnType<typeof agreements.lastTerms>>[number];

const termsIn = (last: LastTerms | undefined) => {
  if (!last) return null;
  const { method, frequency, rate_bps, tenure, fee_paise, anchor_day } = last;
  return { method, frequency, rate_bps, tenure, fee_paise, anchor_day };
};

/** What can be sold here now, or of it what is of an app type, with the keys left for each. @throws KistError FEATURE_NOT_ALLOWED */
export async function plans(tx: Tx, actor: Actor, { app_type }: { app_type?: number | undefined } = {}) {
  const keys = new Map((await wallet.ownKeys(tx, actor)).map((row) => [row.plan_type, row.paid + row.granted]));
  const offered = (await catalogue.plansOnOffer(tx, tx.ports.sales.planes)).filter(
    (plan) => app_type === undefined || catalogue.appTypeOf(plan) === app_type,
  );
  const last = new Map(
    (await agreements.lastTerms(tx, { owner_user_id: actor.userId })).map((one) => [one.plan_type, one]),
  );
  const presets = await catalogue.presets(tx);
  return offered.map((plan) => ({
    plan_id: plan.plan_id,
    plan_type: plan.plan_type,
    name: plan.name,
    app_type: plan.app_type,
    provisioning_type: catalogue.provisioningOf(plan),
    keys_left: keys.get(plan.plan_type) ?? 0,
    is_emi: catalogue.isEmiPlan(plan.plan_type),
    last_sold_at: last.get(plan.plan_type)?.created_at.toISOString() ?? null,
    last_terms: termsIn(last.get(plan.plan_type)),
    presets: presets.flatMap(({ plan_id, ...preset }) => (plan_id === plan.plan_id ? [preset] : [])),
  }));
}

/** One plan of the organisation, on sale or not, with the shop's keys for it. @throws KistError NOT_FOUND */
export async function plan(tx: Tx, actor: Actor, { plan_id }: { plan_id: number }) {
  const [found] = await catalogue.products(tx, tx.ports.sales.planes, { plan_id });
  if (!found) throw new KistError('NOT_FOUND');
  const keys = (await wallet.ownKeys(tx, actor)).find((row) => row.plan_type === found.plan_type);
  return { ...found, keys_left: keys ? keys.paid + keys.granted : 0 };
}

export { collectConsent, sendConsentCode } from './consents.ts';
export type { Cancellation } from '@kist/contract/cancelling';
export { deleteDraft, eraseDraft, forgetDrafts } from './drafts.ts';
export { eraseCustomer, previewErasure } from './erasing.ts';
export { cancelAgreement, previewCancellation } from './cancelling.ts';
export { exchangePhone, previewExchange } from './exchanging.ts';
export { activateShop, changeShop, suspendShop } from './shops.ts';
export { type Registered, register } from './registering.ts';
export { lenders, registerFinanced } from './financed.ts';
export { changeDetails, sendNumberCode } from './details.ts';
export { edit, previewEdit, type RevisingDeps, sendEditCode } from './revising.ts';
export { transferCustomers } from './transfers.ts';
export { type SetUp, checkStatus, deepLink, makeCode, makeLink, setKeyAside, setUpOf, showCode } from './set-up.ts';
export { type ImportReport, importAgreements } from './importing.ts';
