/** Prometheus text format 0.0.4, the few kinds this server needs. Names and labels are ours, never a caller's text. */
export interface Metrics {
  counter(name: string, help: string, labelNames?: readonly string[]): Counter;
  /** Durations in seconds, with buckets from 1 ms to 10 s. */
  histogram(name: string, help: string, labelNames?: readonly string[]): Histogram;
  /** Asked at every scrape. */
  gauge(name: string, help: string, read: () => number | Promise<number>): void;
  text(): Promise<string>;
}
export interface Counter {
  inc(labels?: readonly string[], by?: number): void;
}
export interface Histogram {
  observe(seconds: number, labels?: readonly string[]): void;
}

const BUCKETS_S = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10] as const;

/** One name with its values; its text at a scrape. */
type Family = () => string | Promise<string>;

export function createMetrics(): Metrics {
  const families: Family[] = [];
  const kept = <T>([part, family]: [T, Family]): T => {
    families.push(family);
    return part;
  };
  return {
    counter: (name, help, labelNames = []) => kept(counterOf(name, help, labelNames)),
    histogram: (name, help, labelNames = []) => kept(histogramOf(name, help, labelNames)),
    gauge(name, help, read) {
      families.push(
        async () =>
          `${head(name, help, 'gauge')}${name} ${await Promise.resolve()
            .then(read)
            .catch(() => Number.NaN)}\n`,
      );
    },
    async text() {
      return (await Promise.all(families.map(async (family) => family()))).join('');
    },
  };
}

const head = (name: string, help: string, type: string) => `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;

function counterOf(name: string, help: string, labelNames: readonly string[]): [Counter, Family] {
  const values = new Map<string, number>();
  const inc = (labels: readonly string[] = [], by = 1): void => {
    const key = labelText(labelNames, labels);
    values.set(key, (values.get(key) ?? 0) + by);
  };
  const text = () =>
    head(name, help, 'counter') + [...values].map(([labels, value]) => `${name}${labels} ${value}\n`).join('');
  return [{ inc }, text];
}

interface Observed {
  counts: number[];
  sum: number;
  labels: readonly string[];
}

function histogramOf(name: string, help: string, labelNames: readonly string[]): [Histogram, Family] {
  const values = new Map<string, Observed>();
  const observe = (seconds: number, labels: readonly string[] = []): void => {
    const key = labels.join('\0');
    let value = values.get(key);
    if (!value)
      values.set(key, (value = { counts: Array.from({ length: BUCKETS_S.length + 1 }, () => 0), sum: 0, labels }));
    const found = BUCKETS_S.findIndex((bound) => seconds <= bound);
    const bucket = found === -1 ? BUCKETS_S.length : found;
    value.counts[bucket] = (value.counts[bucket] ?? 0) + 1;
    value.sum += seconds;
  };
  const text = () =>
    head(name, help, 'histogram') + [...values.values()].map((one) => histogramText(name, labelNames, one)).join('');
  return [{ observe }, text];
}

function labelText(names: readonly string[], values: readonly string[], extra = ''): string {
  const pairs = names.map((name, index) => `${name}="${(values[index] ?? '').replace(/["\\\n]/g, '_')}"`);
  if (extra) pairs.push(extra);
  return pairs.length > 0 ? `{${pairs.join(',')}}` : '';
}

function histogramText(name: string, names: readonly string[], { counts, sum, labels }: Observed): string {
  let total = 0;
  const lines = counts.map((count, index) => {
    total += count;
    return `${name}_bucket${labelText(names, labels, `le="${BUCKETS_S[index] ?? '+Inf'}"`)} ${total}\n`;
  });
  return `${lines.join('')}${name}_sum${labelText(names, labels)} ${sum}\n${name}_count${labelText(names, labels)} ${total}\n`;
}

/** Figures of the process itself. */
export function addProcessMetrics(metrics: Metrics): void {
  metrics.gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss());
  metrics.gauge(
    'process_cpu_seconds_total',
    'CPU time of the process.',
    () => process.cpuUsage().user / 1e6 + process.cpuUsage().system / 1e6,
  );
  metrics.gauge('process_uptime_seconds', 'Time since the process started.', () => process.uptime());
  metrics.gauge(
    'nodejs_eventloop_utilization',
    'Share of time the event loop was busy since the start.',
    () => performance.eventLoopUtilization().utilization,
  );
}
