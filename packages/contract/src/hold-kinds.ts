/** Kinds of hold: what a person may record, and a customer's word that it is paid. A dispute shows up beside them. */
export const HOLD_KINDS = ['hardship', 'holiday', 'medical', 'manual', 'claim'] as const;
export type HoldKind = (typeof HOLD_KINDS)[number];
/** What a shop grants a customer, and lifts again. */
export const GRANTED_HOLDS = ['hardship', 'holiday', 'medical'] as const satisfies readonly HoldKind[];
