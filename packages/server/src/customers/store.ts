import type { Tx } from '#server/platform/database.ts';

export interface CustomerRecord {
  customer_id: string;
  owner_user_id: string;
  status: number;
  is_draft: boolean;
  plan_type: number;
  plan_id: number | null;
  first_name: string;
  last_name: string;
  mobile: string;
  alternate_mobile: string | null;
  email: string | null;
  address: { line1: string; city: string; state: string; pincode: string };
  birth_on: string | null;
  aadhaar_last4: string | null;
  pan_masked: string | null;
  photo_document_id: string | null;
  language: string;
  draft: Record<string, unknown>;
  created_at: Date;
  version: number;
}

const COLUMNS = `customer_id, owner_user_id, status, is_draft, plan_type, plan_id, first_name, last_name, mobile, alternate_mobile, email, address,
  birth_on, aadhaar_last4, pan_masked, photo_document_id, language, draft, created_at, version`;

/** @param lock takes the row for this transaction, so that two changes of one customer queue up. */
export async function findCustomer(tx: Tx, customerId: string, lock = false): Promise<CustomerRecord | null> {
  const { rows } = await tx.query<CustomerRecord>(
    `select ${COLUMNS} from customers where customer_id = $1${lock ? ' for update' : ''}`,
    [customerId],
  );
  return rows[0] ?? null;
}

export type CustomerFields = Partial<Omit<CustomerRecord, 'customer_id' | 'created_at' | 'version'>> & {
  search?: string;
};

export async function insertCustomer(
  tx: Tx,
  row: { customer_id: string; owner_user_id: string; plan_type: number; plan_id: number },
): Promise<void> {
  await tx.query(
    `insert into customers (org_id, customer_id, owner_user_id, plan_type, plan_id, created_at, updated_at)
     values (kist_org(), $1, $2, $3, $4, kist_now(), kist_now())`,
    [row.customer_id, row.owner_user_id, row.plan_type, row.plan_id],
  );
}

/** Writes the fields given and no others. */
export async function updateCustomer(tx: Tx, customerId: string, fields: CustomerFields): Promise<void> {
  await tx.query(
    `update customers c set (status, is_draft, plan_type, plan_id, first_name, last_name, mobile, alternate_mobile, email, address, birth_on,
        aadhaar_last4, pan_masked, photo_document_id, language, draft, search, updated_at, version) =
       (select n.status, n.is_draft, n.plan_type, n.plan_id, n.first_name, n.last_name, n.mobile, n.alternate_mobile, n.email, n.address, n.birth_on,
          n.aadhaar_last4, n.pan_masked, n.photo_document_id, n.language, n.draft, n.search, kist_now(), c.version + 1
        from jsonb_populate_record(c, $2::jsonb) n)
     where customer_id = $1`,
    [customerId, JSON.stringify(fields)],
  );
}

export async function deleteCustomer(tx: Tx, customerId: string): Promise<void> {
  await tx.query('delete from customers where customer_id = $1', [customerId]);
}
