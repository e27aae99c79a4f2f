import type { z } from 'zod';
import type { documentEndpoints } from '@kist/contract/documents';
import { KistError } from '@kist/contract/errors';
import { assertEditOffered, authorize, isEditOffered } from '#server/customers/customers.ts';
import * as catalogue from '#server/catalogue/catalogue.ts';
import type { Codes } from '#server/devices/codes.ts';
import type { IssuedToken } from '#server/devices/enrolment.ts';
import { isSetUp, deviceOfCustomer } from '#server/devices/devices.ts';
import { qrPng, qrSvg } from '#server/devices/qr-image.ts';
import type { Tx } from '#server/platform/database.ts';
import type { Documents } from '#server/documents/documents.ts';
import type { Register } from '#server/agreements/register.ts';
import { type CustomerList, customerProfile, type ProfileDeps } from '#server/reports/reports.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { planName } from '@kist/contract/codes';
import type { Actor } from '#server/identity/identity.ts';
import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';

type DocumentsQuery = z.output<typeof documentEndpoints.getCustomerDocuments.query>;

export interface CustomerRouteDeps {
  register: Register;
  customerList: CustomerList;
  documents: Documents;
  profile: ProfileDeps;
  codes: Codes;
}

/** A code for the camera, and its one-time token to type by hand when the camera will not read. */
const shown = ({ qr, token, expiresAt }: IssuedToken) => ({
  qr: JSON.stringify(qr),
  manual_code: token,
  expires_at: expiresAt.toISOString(),
});

const NOT_ENROLLED = 0;
const INSTALLED = 1;

/**
 * How far the phone's set-up is, with its code. A phone that waits to be set up gets one; one that is set up, only what was made for it on purpose:
 * looking makes no code, takes no key and begins nothing anew.
 */
async function setUp(
  tx: Tx,
  { register, codes }: Pick<CustomerRouteDeps, 'register' | 'codes'>,
  actor: Actor,
  { customerId, image }: { customerId: string; image: 'png' | 'svg' | 'none' },
) {
  const customer = await authorize(tx, actor, customerId);
  const phone = await deviceOfCustomer(tx, customerId);
  const isEnrolled = phone !== undefined && (await isSetUp(tx, phone, customer.status));
  const isByCode = phone !== undefined && !phone.releasedAt && codes.isFor(phone.provisioningType);
  const offersCode = isByCode && isEditOffered(actor, customer, 'EMM_QR_CODE');
  let issued: IssuedToken | undefined;
  if (offersCode && image !== 'none') {
    if (customer.status === NOT_ENROLLED) {
      await register.setKeyAside(tx, actor, customerId);
      issued = await codes.current(tx, actor, phone.deviceId);
    } else if (customer.status === INSTALLED) issued = await codes.live(tx, phone.deviceId);
  }
  const code = issued ? shown(issued) : { qr: null, manual_code: null, expires_at: null };
  return {
    is_enrolled: isEnrolled,
    enrolled_at: isEnrolled ? (phone.enrolledAt?.toISOString() ?? null) : null,
    offers_code: offersCode,
    status: customer.status,
    ...code,
    image: code.qr === null ? null : image === 'svg' ? qrSvg(code.qr) : qrPng(code.qr),
  };
}

/** Newest first. The newest of what was asked for by type or by name comes with its picture: a list of pictures would be megabytes. */
async function customerDocuments(
  tx: Tx,
  documents: Documents,
  actor: Actor,
  { customer_id, document_type, image_name }: DocumentsQuery,
) {
  const found = await documents.list(tx, actor, customer_id, document_type);
  const rows = found
    .map((row) => ({
      ...row,
      image_name: `${row.document_type}-${row.document_id}.${row.mime === 'image/png' ? 'png' : 'jpg'}`,
    }))
    .filter((row) => image_name === undefined || row.image_name === image_name);
  const isNarrowed = document_type !== undefined || image_name !== undefined;
  const [first] = rows;
  const opened = isNarrowed && first ? await documents.open(tx, actor, first.document_id) : undefined;
  return rows.map((row) => ({
    ...row,
    created_at: row.created_at.toISOString(),
    data_url: row === first && opened ? dataUrl(opened) : null,
  }));
}

const dataUrl = ({ mime, bytes }: { mime: string; bytes: Buffer }): string =>
  `data:${mime};base64,${bytes.toString('base64')}`;

/** Customers from the first step to the phone's QR. */
export function customerRoutes(app: App, deps: CustomerRouteDeps): void {
  const { register, customerList, documents, codes } = deps;
  for (const name of ['listCustomers', 'listCustomersKeygen'] as const)
    route(app, name, ({ actor, query }) => customerList.page(actor, query));
  route(app, 'registerCustomer', ({ tx, actor, body }) => register.register(tx, actor, body));
  route(app, 'getCustomerProfile', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => customerProfile(tx, actor, query.customer_id, deps.profile)),
  );
  route(app, 'deleteDraft', async ({ tx, actor, body }) => ({
    keys_returned: await register.deleteDraft(tx, actor, body.customer_id),
  }));
  route(app, 'generateEmmCode', ({ db, actor, query }) =>
    db.transaction(actor.orgId, async (tx) => {
      assertEditOffered(actor, await authorize(tx, actor, query.customer_id), 'EMM_QR_CODE');
      const phone = await deviceOfCustomer(tx, query.customer_id);
      if (!phone) throw new KistError('STATE_CONFLICT');
      await register.setKeyAside(tx, actor, query.customer_id);
      const issued = await codes.fresh(tx, actor, phone.deviceId);
      const { status } = await authorize(tx, actor, query.customer_id);
      return { ...shown(issued), device_id: phone.deviceId, is_enrolled: await isSetUp(tx, phone, status) };
    }),
  );
  route(app, 'getCustomerQrCode', ({ db, actor, query: { customer_id: customerId, image } }) => {
    const answer = (tx: Tx) => setUp(tx, deps, actor, { customerId, image });
    return image === 'none' ? db.read(actor.orgId, answer) : db.transaction(actor.orgId, answer);
  });
  route(app, 'getCustomerDocuments', ({ db, actor, query }) =>
    db.read(actor.orgId, (tx) => customerDocuments(tx, documents, actor, query)),
  );
  route(app, 'uploadCustomerDocument', async ({ db, actor, body, file }) => ({
    document_id: await documents.keep(db, actor, body.customer_id, body.document_type, file.bytes),
  }));
  route(app, 'uploadSignature', async ({ db, actor, body, file }) => ({
    document_id: await documents.keep(db, actor, body.customer_id, 'signature', file.bytes),
  }));
  route(app, 'uploadCustomerPhoto', async ({ db, actor, body, file }) => ({
    document_id: await documents.keep(db, actor, body.customer_id, 'photo', file.bytes),
  }));
  route(app, 'getDocument', ({ db, actor, query }) =>
    db.read(actor.orgId, async (tx) => {
      const opened = await documents.open(tx, actor, query.document_id);
      return { mime: opened.mime, data_url: dataUrl(opened) };
    }),
  );
  route(app, 'listPlans', ({ db, actor }) =>
    db.read(actor.orgId, async (tx) => {
      const keys = new Map((await wallet.ownKeys(tx, actor)).map((row) => [row.plan_type, row.paid + row.granted]));
      const plans = await catalogue.plansOnOffer(tx);
      return plans.map((plan) => ({
        plan_id: plan.plan_id,
        plan_type: plan.plan_type,
        name: plan.name,
        provisioning_type: catalogue.provisioningOf(plan),
        keys_left: keys.get(plan.plan_type) ?? 0,
        is_emi: catalogue.isEmiPlan(plan.plan_type),
      }));
    }),
  );
  route(app, 'getKeys', ({ db, actor }) =>
    db.read(actor.orgId, async (tx) =>
      (await wallet.ownKeys(tx, actor)).map((row) => ({
        plan_type: row.plan_type,
        name: planName(row.plan_type) ?? '',
        paid: row.paid,
        granted: row.granted,
        reserved: row.reserved,
      })),
    ),
  );
}
