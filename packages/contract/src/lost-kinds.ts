/** What an owner may say of the own phone. */
export const LOST_KINDS = ['theft', 'lost'] as const;
/** In the own session, or at the counter with the code that they got. */
export const LOST_REPORTERS = ['customer', 'customer_code'] as const;
export type LostKind = (typeof LOST_KINDS)[number];
