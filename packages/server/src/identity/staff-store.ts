import type { UserType } from '@kist/contract/codes';
import type { Tx } from '#server/platform/database.ts';

/** Somebody who works in an organisation, as whoever runs the installation declares them; the mobile number is who they are. */
export interface DeclaredUser {
  userType: Extract<UserType, 'admin' | 'retailer'>;
  mobile: string;
  firstName: string;
  lastName: string;
  shopName: string;
  upiId: string | null;
}

export async function lockUserType(
  tx: Tx,
  mobile: string,
): Promise<{ userId: string; userType: UserType; isActive: boolean } | undefined> {
  const { rows } = await tx.query<{ userId: string; userType: UserType; isActive: boolean }>(
    `select user_id as "userId", user_type as "userType", is_active as "isActive" from users
     where org_id = kist_org() and mobile = $1 for no key update`,
    [mobile],
  );
  return rows[0];
}

export async function insertStaff(tx: Tx, userId: string, user: DeclaredUser): Promise<void> {
  await tx.query(
    `insert into users (org_id, user_id, user_type, mobile, first_name, last_name, shop_name, upi_id, created_at)
     values (kist_org(), $1, $2, $3, $4, $5, $6, $7, kist_now())`,
    [userId, user.userType, user.mobile, user.firstName, user.lastName, user.shopName, user.upiId],
  );
}

/** @returns whether anything is other than before */
export async function updateStaff(tx: Tx, userId: string, user: DeclaredUser): Promise<boolean> {
  const { rows } = await tx.query(
    `update users set first_name = $2, last_name = $3, shop_name = $4, upi_id = coalesce($5, upi_id)
     where org_id = kist_org() and user_id = $1
       and (first_name, last_name, shop_name, upi_id) is distinct from ($2, $3, $4, coalesce($5, upi_id))
     returning user_id`,
    [userId, user.firstName, user.lastName, user.shopName, user.upiId],
  );
  return rows.length > 0;
}
