/** How long overdue a running agreement is, by its days past due: the first and the last day of each stretch; 0 is on time, and the last has no end. */
export const DPD_DAYS = {
  '0': [0, 0],
  '1_30': [1, 30],
  '31_60': [31, 60],
  '61_90': [61, 90],
  over_90: [91, null],
} as const satisfies Record<string, readonly [first: number, last: number | null]>;
export type DpdStretch = keyof typeof DPD_DAYS;
export const DPD_STRETCHES = Object.keys(DPD_DAYS) as [DpdStretch, ...DpdStretch[]];
