import { useCallback, useState } from 'react';
import { onSessionEnd } from './session.ts';
import { stored } from './storage.ts';

/** Of each user, by what it is about. Memory only, for it may name people; a session that the server ended takes nobody's words away. */
const begun = new Map<string, object>();
onSessionEnd((why) => {
  if (why === 'logout') begun.clear();
});
const ownName = (name: string): string => `${stored('user_id')}/${name}`;

/** Whether somebody began to type here and neither sent it nor gave up. */
export const isBegun = (name: string): boolean => begun.has(ownName(name));

/**
 * What is typed into a sheet, until it is sent: it outlives a sheet that was pushed away, a refusal, and a reload that draws the sheet anew.
 * @param name of what it is about, a customer or a payment.
 * @returns what was typed so far, a function that takes more, and one that forgets it
 */
export function useTyped<Typed extends object>(
  name: string,
): [Partial<Typed>, (typed: Partial<Typed>) => void, () => void] {
  const [, draw] = useState(0);
  const type = useCallback(
    (typed: Partial<Typed>) => {
      begun.set(ownName(name), { ...begun.get(ownName(name)), ...typed });
      draw((count) => count + 1);
    },
    [name],
  );
  const forget = useCallback(() => {
    begun.delete(ownName(name));
    draw((count) => count + 1);
  }, [name]);
  return [(begun.get(ownName(name)) ?? {}) as Partial<Typed>, type, forget];
}
