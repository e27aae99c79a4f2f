/** What no lock may take away, on any type of phone, whatever the reason. */
export const NEVER_BLOCKED = [
  'internet',
  'incoming_calls',
  'emergency_calls',
  'public_safety_alerts',
  'pay_screen',
  'accessibility_services',
] as const;
export type NeverBlocked = (typeof NEVER_BLOCKED)[number];

/** What is too little to restrict for, where a policy names nothing else: the greater of ₹100 and a tenth of one EMI. */
export const TOO_LITTLE = { paise: 100_00, bpsOfEmi: 1000 } as const;
