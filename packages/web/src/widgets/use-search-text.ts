import { useEffect, useRef, useState } from 'react';

const PAUSE_MS = 300;

/** What is being typed, handed on when the fingers rest; a search that comes from elsewhere (back, a chip) replaces it. */
export function useSearchText(applied: string, apply: (text: string) => void) {
  const [value, setValue] = useState(applied);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const sent = useRef(applied);
  useEffect(() => {
    if (applied === sent.current) return;
    sent.current = applied;
    setValue(applied);
  }, [applied]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const change = (text: string) => {
    setValue(text);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      sent.current = text.trim();
      apply(text.trim());
    }, PAUSE_MS);
  };
  return { value, change };
}
