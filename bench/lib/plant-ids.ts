/** As the product's ids do, these begin with a time, so that what belongs together lies together; the rest says what it is the id of. */
const FIRST_SALE_MS = 1_750_000_000_000;
const KINDS = {
  user: 1,
  session: 2,
  customer: 3,
  device: 4,
  agreement: 5,
  journal: 6,
  payment: 7,
  instalment: 8,
  account: 9,
  enrolment: 10,
  consent: 11,
  notice: 12,
  verdict: 13,
  confirmation: 14,
  proof: 15,
} as const;
type Kind = keyof typeof KINDS;

/** @returns SQL of the id of the n-th of its kind; `part` of it where one has several */
export const sqlId = (orgId: number, kind: Kind, n: string, part = '0'): string =>
  `(lpad(to_hex(${FIRST_SALE_MS} + (${n})), 12, '0') || '7' || lpad(to_hex(${KINDS[kind]}), 3, '0') || '8' || lpad(to_hex(${part}), 7, '0') || '${orgId
    .toString(16)
    .padStart(8, '0')}')::uuid`;

/** The same id in TypeScript. */
export function shopsId(orgId: number, kind: Kind, n: number, part = 0): string {
  const hex = (value: number, digits: number) => value.toString(16).padStart(digits, '0');
  const time = hex(FIRST_SALE_MS + n, 12);
  const last = hex(part, 7) + hex(orgId, 8);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${hex(KINDS[kind], 3)}-8${last.slice(0, 3)}-${last.slice(3)}`;
}
