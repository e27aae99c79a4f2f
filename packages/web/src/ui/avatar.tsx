import { cx } from './cx.ts';

/** @returns up to two initials by grapheme, so that an Indic vowel sign stays with its letter. */
export function initials(name: string): string {
  const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
  return name
    .trim()
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => [...segmenter.segment(word)][0]?.segment ?? '')
    .join('')
    .toUpperCase();
}

/** A round picture or the initials; the name stands beside it, so readers skip it. */
export function Avatar(props: { name: string; src?: string; size?: 'md' | 'lg'; className?: string }) {
  const box = cx(
    'grid shrink-0 place-items-center overflow-hidden rounded-full bg-accent-soft font-bold text-accent-text',
    props.size === 'lg' ? 'size-14 text-lg' : 'size-10 text-sm',
    props.className,
  );
  return (
    <span aria-hidden className={box}>
      {props.src ? <img src={props.src} alt="" className="size-full object-cover" /> : initials(props.name)}
    </span>
  );
}
