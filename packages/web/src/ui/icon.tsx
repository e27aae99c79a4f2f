import { cx } from './cx.ts';
import { FRONT_PATHS, type IconName } from './icon-paths.ts';

const paths: Partial<Record<IconName, string>> = { ...FRONT_PATHS };
/** Makes more icons known (inside-icons.ts). */
export const drawIcons = (more: Partial<Record<IconName, string>>): void => void Object.assign(paths, more);

/** @param size CSS pixels; text beside the icon carries the meaning, so the icon itself is hidden from readers unless `label` is given. */
export function Icon(props: {
  name: IconName;
  size?: number;
  label?: string;
  className?: string;
  strokeWidth?: number;
}) {
  const { name, size = 22, label, className, strokeWidth = 1.8 } = props;
  return (
    <svg
      viewBox="0 0 24 24"
      width={size}
      height={size}
      className={cx('shrink-0', (name === 'back' || name === 'next') && 'rtl:-scale-x-100', className)}
      fill="none"
      stroke="currentColor"
      strokeWidth={strokeWidth}
      strokeLinecap="round"
      strokeLinejoin="round"
      {...(label ? { role: 'img', 'aria-label': label } : { 'aria-hidden': true })}
    >
      <path d={paths[name]} />
    </svg>
  );
}
