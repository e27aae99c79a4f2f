import type { Actor } from '#server/identity/identity.ts';
import { COLUMN_NAMES } from '#server/sales/import-columns.ts';
import type { LockWorld } from './lock-world.ts';

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A shop's book of running EMIs as it is brought in, by the columns that any of the rows has. @returns CSV as spreadsheets save it */
export const bookFile = (...rows: Record<string, string>[]): string => {
  const names = COLUMN_NAMES.filter((name) => rows.some((one) => name in one));
  return `\uFEFF${[names, ...rows.map((one) => names.map((name) => quoted(one[name] ?? '')))].map((fields) => fields.join(',')).join('\r\n')}\r\n`;
};

export const mobileOf = async ({ db }: LockWorld, { userId }: Actor): Promise<string> =>
  (await db.asOwner<{ mobile: string }>('select mobile from users where user_id = $1', [userId]))[0]!.mobile;

/** A row of a book of the world's shop, but for its name and its phone. */
export const rowOf = async (world: LockWorld): Promise<Record<string, string>> => ({
  shop_mobile: (await mobileOf(world, world.shop)).slice(3),
  plan_id: '1',
  first_name: 'Savita',
  mobile: '9812345678',
  brand: 'Redmi',
  model: '13C',
  method: 'FLAT',
  cash_price: '16000',
  down_payment: '2,000',
  rate: '18',
  tenure: '12',
  delivered_on: '2026-01-05',
});
