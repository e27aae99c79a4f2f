/** The stretches of days that a shop collects by; the address names the one that is open. */
export const BUCKETS = ['overdue', 'today', 'week', 'month'] as const;
export type Bucket = (typeof BUCKETS)[number];

export const isBucket = (text: string | null): text is Bucket => (BUCKETS as readonly (string | null)[]).includes(text);

interface Counted {
  bucket: string;
  customers: number;
}
/** @returns where one begins when no bucket is asked for: with the most pressing that has something. */
export function firstBucket(counts: readonly Counted[]): Bucket {
  const has = (bucket: Bucket) => counts.some((one) => one.bucket === bucket && one.customers > 0);
  return has('overdue') ? 'overdue' : has('today') ? 'today' : has('week') ? 'week' : 'month';
}
