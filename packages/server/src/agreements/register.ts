import { NEEDS } from '@kist/contract/access';
import type { z } from 'zod';
import type { identitySchema, registerBodySchema } from '@kist/contract/customers';
import { type IsoDate, addDays } from '@kist/contract/dates';
import { EMI_LIMITS } from '@kist/contract/emi-limits';
import { KistError } from '@kist/contract/errors';
import type { Language } from '@kist/contract/codes';
import type { LockPolicy } from '@kist/contract/lock-policy';
import type { Plane } from '#server/catalogue/catalogue.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import {
  authorize,
  type AuthorizedCustomer,
  begin,
  change,
  changeStatus,
  discard,
  identityFields,
  isUnpaidFor,
  searchText,
} from '#server/customers/customers.ts';
import { type Actor, requires } from '#server/identity/identity.ts';
import { today } from '#server/platform/clock.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { type Agreement, ofCustomer, open, recordConsent } from './agreements.ts';

export type Registration = z.output<typeof registerBodySchema>;
type Identity = z.output<typeof identitySchema>;

export interface RegisterDeps {
  /** @throws KistError DUPLICATE_IMEI when a phone with this IMEI or serial is under management here. @returns the new phone's id. */
  createDevice(
    tx: Tx,
    actor: Actor,
    phone: NonNullable<Registration['device']> & { customerId: string; provisioningType: number },
  ): Promise<string>;
  /** The policy in force today, to be stamped on the agreement. */
  policyFor(tx: Tx): Promise<LockPolicy>;
  /** The server's own copy of a consent clause; undefined for a version it never had. */
  consentText(version: string, language: Language): string | undefined;
  latestSignature(tx: Tx, customerId: string): Promise<string | null>;
  /** Deletes what was photographed and signed for a draft. */
  discardDocuments(tx: Tx, actor: Actor, customerId: string): Promise<void>;
  /** What can be delivered here, where that is not what this installation runs. */
  planes?: readonly Plane[];
}

export interface Registered {
  customer_id: string;
  is_draft: boolean;
  status: number;
  agreement_id: string | null;
  agreement_no: string | null;
  device_id: string | null;
  keys_left: number | null;
}

export interface Register {
  /** Draft or registration. @throws KistError INVALID_INPUT naming what is missing, PLAN_NOT_ON_SALE, INSUFFICIENT_KEYS, DUPLICATE_IMEI, STATE_CONFLICT, NOT_FOUND. */
  register(tx: Tx, actor: Actor, body: Registration): Promise<Registered>;
  /**
   * Before a code for the customer's phone goes out: a key stands behind it. One that came back is set aside again; a phone that was uninstalled begins
   * anew. @throws KistError NOT_FOUND, INSUFFICIENT_KEYS
   */
  setKeyAside(tx: Tx, actor: Actor, customerId: string): Promise<void>;
  /** @returns keys given back. @throws KistError STATE_CONFLICT once a phone enrolled or an agreement stands. */
  deleteDraft(tx: Tx, actor: Actor, customerId: string): Promise<number>;
}

const UNINSTALLED = 3;

const required = (path: string) => ({ path, key: 'field.required' });

/** What a registration needs; a draft may miss any of it. */
function complete(body: Registration): {
  customer: Identity;
  device: NonNullable<Registration['device']>;
  emi: NonNullable<Registration['emi']>;
  consent: NonNullable<Registration['consent']>;
} {
  const { customer, device, emi, consent } = body;
  const fields = (['customer', 'device', 'emi', 'consent'] as const).filter((part) => !body[part]).map(required);
  if (!customer || !device || !emi || !consent) throw new KistError('INVALID_INPUT', { fields });
  return { customer, device, emi, consent };
}

/** @throws KistError INVALID_INPUT when the phone was handed over more than three days ago, or is to be some day, on the product's own calendar */
async function assertDeliveredLately(tx: Tx, deliveredOn: IsoDate): Promise<void> {
  const on = await today(tx);
  if (deliveredOn > on || deliveredOn < addDays(on, -EMI_LIMITS.deliveredAgoDays))
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'emi.delivered_on', key: 'field.delivered_on' }] });
}

async function keysLeft(tx: Tx, userId: string, planType: number): Promise<number> {
  const row = (await wallet.keysOf(tx, userId)).find((keys) => keys.plan_type === planType);
  return (row?.paid ?? 0) + (row?.granted ?? 0);
}

/** A draft keeps what was typed, valid or not, as the form's own; the columns stay empty until the registration. */
async function keepDraft(tx: Tx, actor: Actor, customer: AuthorizedCustomer, body: Registration): Promise<Registered> {
  const { customer_id } = customer;
  const identity = body.customer
    ? {
        ...identityFields(body.customer),
        search: searchText([body.customer.first_name, body.customer.last_name, body.customer.mobile]),
      }
    : {};
  const { draft: _draft, customer_id: _id, customer: person, ...rest } = body;
  // The PAN is kept masked only, in drafts too: it is asked again when the form is finished.
  const { pan: _pan, ...kept } = person ?? ({} as Partial<Identity>);
  await change(tx, actor, customer, { ...identity, draft: { ...rest, ...(person ? { customer: kept } : {}) } });
  return {
    customer_id,
    is_draft: true,
    status: customer.status,
    agreement_id: null,
    agreement_no: null,
    device_id: null,
    keys_left: await keysLeft(tx, customer.owner_user_id, customer.plan_type),
  };
}

export function createRegister(deps: RegisterDeps): Register {
  async function sign(
    tx: Tx,
    actor: Actor,
    customer: AuthorizedCustomer,
    provisioningType: number | null,
    body: Registration,
  ): Promise<Registered> {
    const { customer: identity, device, emi, consent } = complete(body);
    await assertDeliveredLately(tx, emi.delivered_on);
    const text = deps.consentText(consent.text_version, consent.language);
    if (text === undefined)
      throw new KistError('INVALID_INPUT', { fields: [{ path: 'consent.text_version', key: 'field.consent' }] });
    if (provisioningType === null || !catalogue.isEmiPlan(customer.plan_type))
      throw new KistError('INVALID_INPUT', { fields: [{ path: 'plan_id', key: 'field.plan' }] });
    const { customer_id: customerId, owner_user_id: ownerUserId, plan_type: planType } = customer;
    await wallet.reserve(tx, actor, { user_id: ownerUserId, plan_type: planType, customer_id: customerId });
    const deviceId = await deps.createDevice(tx, actor, { ...device, customerId, provisioningType });
    const agreement = await open(tx, actor, {
      customerId,
      deviceId,
      ownerUserId,
      planType,
      terms: emi,
      policy: await deps.policyFor(tx),
    });
    await recordConsent(tx, actor, {
      agreementId: agreement.agreement_id,
      textVersion: consent.text_version,
      text,
      language: consent.language,
      method: consent.method,
      // A typed name is drawn and kept as a picture too.
      documentId: await deps.latestSignature(tx, customerId),
    });
    await change(tx, actor, customer, {
      ...identityFields(identity),
      is_draft: false,
      draft: {},
      search: searchText([
        identity.first_name,
        identity.last_name,
        identity.mobile,
        device.imei1,
        device.imei2,
        device.serial,
        agreement.agreement_no,
        device.brand,
        device.model,
      ]),
    });
    return {
      customer_id: customerId,
      is_draft: false,
      status: customer.status,
      agreement_id: agreement.agreement_id,
      agreement_no: agreement.agreement_no,
      device_id: deviceId,
      keys_left: await keysLeft(tx, ownerUserId, planType),
    };
  }

  return {
    async register(tx, actor, body) {
      requires(actor, NEEDS.activate);
      const plan = await catalogue.planForSale(tx, body.plan_id, deps.planes);
      const known = body.customer_id ? await authorize(tx, actor, body.customer_id, true) : null;
      if (known && !known.is_draft) throw new KistError('STATE_CONFLICT');
      const customer = known ?? (await begin(tx, actor, plan));
      if (customer.plan_id !== plan.plan_id)
        await change(tx, actor, customer, { plan_id: plan.plan_id, plan_type: plan.plan_type });
      const current = { ...customer, plan_id: plan.plan_id, plan_type: plan.plan_type };
      return body.draft
        ? keepDraft(tx, actor, current, body)
        : sign(tx, actor, current, catalogue.provisioningOf(plan), body);
    },
    async setKeyAside(tx, actor, customerId) {
      requires(actor, NEEDS.activate);
      const { status, owner_user_id: userId, plan_type: planType } = await authorize(tx, actor, customerId, true);
      await wallet.ensureKey(tx, actor, {
        user_id: userId,
        plan_type: planType,
        customer_id: customerId,
        isNew: isUnpaidFor(status),
      });
      if (status === UNINSTALLED) await changeStatus(tx, actor, customerId, 0);
    },
    async deleteDraft(tx, actor, customerId) {
      requires(actor, NEEDS.activate);
      const customer = await authorize(tx, actor, customerId, true);
      const agreement: Agreement | null = await ofCustomer(tx, customerId);
      if (agreement || !customer.is_draft) throw new KistError('STATE_CONFLICT');
      const returned = await wallet.giveBack(tx, actor, { customer_id: customerId, why: 'draft_deleted' });
      await deps.discardDocuments(tx, actor, customerId);
      await discard(tx, actor, customer);
      return returned;
    },
  };
}
