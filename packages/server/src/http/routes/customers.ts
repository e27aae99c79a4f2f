import { KistError } from '@kist/contract/errors';
import { authorize } from '#server/customers/customers.ts';
import { isEmiPlan, plansOnOffer, provisioningOf } from '#server/catalogue/catalogue.ts';
import { type AgentProgram } from '#server/devices/enrolment.ts';
import { freshToken, ofCustomer } from '#server/devices/devices.ts';
import type { ServerKey } from '#server/devices/server-key.ts';
import type { Documents } from '#server/documents/documents.ts';
import type { Register } from '#server/agreements/register.ts';
import type { CustomerList } from '#server/reports/customer-list.ts';
import { customerProfile, type ProfileDeps } from '#server/reports/profile.ts';
import { keysOf } from '#server/wallet/wallet.ts';
import { planName } from '@kist/contract/codes';
import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';

export interface CustomerRouteDeps {
  register: Register;
  customerList: CustomerList;
  documents: Documents;
  profile: ProfileDeps;
  agent: { key: ServerKey; program: AgentProgram };
}

/** The code typed by hand when the camera will not read: the QR's own one-time token. */
const manualCode = (qr: string): string => {
  const extras: unknown = (JSON.parse(qr) as Record<string, unknown>)[
    'android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE'
  ];
  return String((extras as Record<string, unknown>)['kist.token']);
};

/** Customers from the first step to the phone's QR. */
export function customerRoutes(app: App, deps: CustomerRouteDeps): void {
  const { register, customerList, documents, agent } = deps;
  route(app, 'listCustomers', ({ actor, query }) => customerList.page(actor, query));
  route(app, 'registerCustomer', ({ tx, actor, body }) => register.register(tx, actor, body));
  route(app, 'getCustomerProfile', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => customerProfile(tx, actor, query.customer_id, deps.profile)),
  );
  route(app, 'deleteDraft', async ({ tx, actor, body }) => ({
    keys_returned: await register.deleteDraft(tx, actor, body.customer_id),
  }));
  route(app, 'generateEmmCode', ({ db, actor, query }) =>
    db.transaction(actor.orgId, async (tx) => {
      await authorize(tx, actor, query.customer_id);
      const phone = await ofCustomer(tx, query.customer_id);
      if (!phone) throw new KistError('STATE_CONFLICT');
      const issued = await freshToken(tx, actor, phone.deviceId, agent.key, agent.program);
      const qr = JSON.stringify(issued.qr);
      return {
        qr,
        manual_code: manualCode(qr),
        expires_at: issued.expiresAt.toISOString(),
        device_id: phone.deviceId,
        is_enrolled: issued.isEnrolled,
      };
    }),
  );
  route(app, 'getCustomerQrCode', ({ db, actor, query }) =>
    db.read(actor.orgId, async (tx) => {
      const customer = await authorize(tx, actor, query.customer_id);
      const phone = await ofCustomer(tx, query.customer_id);
      return {
        is_enrolled: Boolean(phone?.enrolledAt),
        enrolled_at: phone?.enrolledAt?.toISOString() ?? null,
        status: customer.status,
      };
    }),
  );
  route(app, 'uploadSignature', async ({ db, actor, body, file }) => ({
    document_id: await documents.keep(db, actor, body.customer_id, 'signature', file.bytes),
  }));
  route(app, 'uploadCustomerPhoto', async ({ db, actor, body, file }) => ({
    document_id: await documents.keep(db, actor, body.customer_id, 'photo', file.bytes),
  }));
  route(app, 'getDocument', ({ db, actor, query }) =>
    db.read(actor.orgId, async (tx) => {
      const { mime, bytes } = await documents.open(tx, actor, query.document_id);
      return { mime, data_url: `data:${mime};base64,${bytes.toString('base64')}` };
    }),
  );
  route(app, 'listPlans', ({ db, actor }) =>
    db.read(actor.orgId, async (tx) => {
      const keys = new Map((await keysOf(tx, actor.userId)).map((row) => [row.plan_type, row.paid + row.granted]));
      const plans = await plansOnOffer(tx);
      return plans.map((plan) => ({
        plan_id: plan.plan_id,
        plan_type: plan.plan_type,
        name: plan.name,
        provisioning_type: provisioningOf(plan.plan_type),
        keys_left: keys.get(plan.plan_type) ?? 0,
        is_emi: isEmiPlan(plan.plan_type),
      }));
    }),
  );
  route(app, 'getKeys', ({ db, actor }) =>
    db.read(actor.orgId, async (tx) =>
      (await keysOf(tx, actor.userId)).map((row) => ({
        plan_type: row.plan_type,
        name: planName(row.plan_type) ?? '',
        paid: row.paid,
        granted: row.granted,
        reserved: row.reserved,
      })),
    ),
  );
}
