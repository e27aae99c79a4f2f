import { useEffect, useRef } from 'react';

/** Says that its place is about to be seen, a screen before it is: the next page of a list is loaded there. */
export function Sentinel({ onSeen }: { onSeen: () => void }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    // A busy phone tells of its leaving and its coming at once: the first of them alone would be all that is ever heard of it.
    const heard = (seen: readonly IntersectionObserverEntry[]) => {
      if (seen.some(({ isIntersecting }) => isIntersecting)) onSeen();
    };
    const watch = new IntersectionObserver(heard, { rootMargin: '640px' });
    if (place.current) watch.observe(place.current);
    return () => watch.disconnect();
  }, [onSeen]);
  return <div ref={place} className="h-px" />;
}
