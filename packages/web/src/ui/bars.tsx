import { cx } from './cx.ts';

/** @param share 0…1. @param label the sentence that says the same in words. */
export function ProgressBar(props: { share: number; label: string; className?: string }) {
  const percent = Math.round(Math.min(1, Math.max(0, props.share)) * 100);
  return (
    <div
      role="progressbar"
      aria-label={props.label}
      aria-valuenow={percent}
      aria-valuemin={0}
      aria-valuemax={100}
      className={cx('h-2 overflow-hidden rounded-full bg-line', props.className)}
    >
      <span className="block h-full rounded-full bg-ok" style={{ width: `${percent}%` }} />
    </div>
  );
}

export type Segment = 'full' | 'half' | 'bad' | 'now' | 'empty';
// Not by colour alone: late ones are hatched, today's is outlined, a part fills half.
const SEGMENTS: Record<Segment, string> = {
  full: 'bg-ok',
  half: 'bg-[linear-gradient(90deg,var(--ok)_50%,var(--line)_50%)]',
  bad: 'bg-[repeating-linear-gradient(115deg,var(--over)_0_3px,var(--over-soft)_3px_4px)]',
  now: 'bg-due-soft ring-2 ring-inset ring-due',
  empty: 'bg-line',
};

/** One block for each of a row of steps; wraps after 12. @param label says the counts in words. */
export function SegmentsBar(props: { segments: readonly Segment[]; label: string }) {
  return (
    <div
      role="img"
      aria-label={props.label}
      className="grid gap-1"
      style={{ gridTemplateColumns: `repeat(${Math.min(12, Math.max(1, props.segments.length))}, minmax(0, 1fr))` }}
    >
      {props.segments.map((segment, place) => (
        <span key={place} className={cx('h-2.5 rounded-[3px]', SEGMENTS[segment])} />
      ))}
    </div>
  );
}

/** Where one stands in a form of several steps. @param label 'Step 2 of 6: Identity'. */
export function Stepper(props: { steps: number; at: number; label: string }) {
  return (
    <div className="grid gap-1.5">
      <p className="text-sm text-ink-2" aria-live="polite">
        {props.label}
      </p>
      <div aria-hidden className="grid auto-cols-fr grid-flow-col gap-1">
        {Array.from({ length: props.steps }, (_, step) => (
          <span
            key={step}
            className={cx(
              'h-1 rounded-full',
              step < props.at ? 'bg-ok' : step === props.at ? 'bg-accent-text' : 'bg-line',
            )}
          />
        ))}
      </div>
    </div>
  );
}
