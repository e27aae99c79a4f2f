import { cx } from './cx.ts';

/** Stroke 5, one turn in 0.75 s. @param label what a screen reader says. */
export function Spinner(props: { size?: number; label?: string; className?: string }) {
  const { size = 32, label, className } = props;
  return (
    <svg
      viewBox="0 0 50 50"
      width={size}
      height={size}
      className={cx('spinner animate-spin', className)}
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <circle cx="25" cy="25" r="20" fill="none" stroke="currentColor" strokeOpacity=".2" strokeWidth="5" />
      <path d="M25 5a20 20 0 0 1 20 20" fill="none" stroke="currentColor" strokeWidth="5" strokeLinecap="round" />
    </svg>
  );
}
