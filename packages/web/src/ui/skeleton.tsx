import { cx } from './cx.ts';

/** A grey block where something will stand. */
export const Skeleton = (props: { className?: string }) => (
  <span aria-hidden className={cx('block animate-pulse rounded-xl bg-raise', props.className)} />
);

/** A whole screen loading, as the specification draws it: one wide block and four tall blocks. @param label read aloud. */
export function ScreenSkeleton(props: { label: string }) {
  return (
    <div role="status" className="grid gap-3 py-1">
      <span className="sr-only">{props.label}</span>
      <Skeleton className="h-33 rounded-2xl" />
      {[0, 1, 2, 3].map((block) => (
        <Skeleton key={block} className="h-22" />
      ))}
    </div>
  );
}

/** A few rows loading inside a screen that stands: avatar, two lines, a chip. */
export function RowsSkeleton(props: { label: string; rows: number }) {
  return (
    <div role="status">
      <span className="sr-only">{props.label}</span>
      {Array.from({ length: props.rows }, (_, row) => (
        <div key={row} className="flex items-center gap-3 border-b border-line py-3">
          <Skeleton className="size-10 rounded-full" />
          <div className="grid flex-1 gap-2">
            <Skeleton className="h-4 w-2/5 rounded-sm" />
            <Skeleton className="h-3 w-3/5 rounded-sm" />
          </div>
          <Skeleton className="h-5 w-16 rounded-sm" />
        </div>
      ))}
    </div>
  );
}
