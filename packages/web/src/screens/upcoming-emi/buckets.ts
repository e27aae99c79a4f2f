/** The stretches of days that a shop collects by; the address names the one that is open. */
export const BUCKETS = ['overdue', 'today', 'week', 'month'] as const;
export type Bucket = (typeof BUCKETS)[number];

export const isBucket = (text: string | null): text is Bucket => (BUCKETS as readonly (string | null)[]).includes(text);

/** @returns the one day of a bucket that an address asks for; of overdue EMIs a customer has one row, whatever their days. */
export const dayOf = (bucket: Bucket, text: string | null): string | undefined =>
  text && bucket !== 'overdue' && /^\d{4}-\d\d-\d\d$/.test(text) ? text : undefined;

/** What the list and its sum are asked for to be of this day alone. */
export const between = (day: string | undefined): { from?: string; to?: string } => (day ? { from: day, to: day } : {});

interface Counted {
  bucket: string;
  customers: number;
}
/** @returns where one begins when no bucket is asked for: with the most pressing that has something. */
export function firstBucket(counts: readonly Counted[]): Bucket {
  const has = (bucket: Bucket) => counts.some((one) => one.bucket === bucket && one.customers > 0);
  return has('overdue') ? 'overdue' : has('today') ? 'today' : has('week') ? 'week' : 'month';
}
