/** How money changes hands, by the word of who took it or gave it. */
export const PAYMENT_METHODS = ['CASH', 'UPI', 'OTHER'] as const;
export type PaymentMethod = (typeof PAYMENT_METHODS)[number];
/** How a payment that is kept came in: so, or through a payment gateway, which nobody says. */
export const KEPT_METHODS = [...PAYMENT_METHODS, 'GATEWAY'] as const;
export type KeptMethod = (typeof KEPT_METHODS)[number];
