import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { api } from '#web/api/api.ts';
import type { CallArgs } from '#web/api/calls.ts';
import { startListening } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';

const { write } = api.endpoints;
const isId = (key: string): boolean => /_ids?$/.test(key);
/** A call and whose it was: all that it says by an id. What else it carries may be put right meanwhile. */
function subjectOf({ name, input: { params, query, body } }: CallArgs): string {
  const said = Object.entries({ ...params, ...query, ...(body as object | undefined) });
  return JSON.stringify([name, said.filter(([key]) => isId(key))]);
}

/** The call that failed last, by its subject, until it is told. */
let failed: string | undefined;
/** The message of a failure that stands, by the call that it is about. */
let told: { id: number; call: string } | undefined;
/** The message that stood when somebody last did something. */
let seen: number | undefined;

/** A message of what went wrong, while it is what is shown. */
const shownError = () => {
  const shown = toast.answer();
  return shown?.tone === 'error' ? shown.id : undefined;
};

startListening({
  matcher: write.matchRejected,
  effect: ({ meta }) => void (failed = subjectOf(meta.arg.originalArgs)),
});
toast.subscribe(() => {
  const id = shownError();
  if (id === undefined || id === told?.id || failed === undefined) return;
  told = { id, call: failed };
  failed = undefined;
});
startListening({
  matcher: write.matchFulfilled,
  effect: ({ meta }) => {
    if (told && told.call === subjectOf(meta.arg.originalArgs)) toast.close(told.id);
  },
});

/**
 * What went wrong is not said any longer than it is so: not once the same call about the same has gone well, nor on another screen than where it was told. One that leads
 * to another screen by itself, before anybody did anything, is told there.
 */
export function useNoStaleToasts(): void {
  const { pathname } = useLocation();
  useEffect(() => {
    const note = () => void (seen = shownError());
    const deeds = ['pointerdown', 'keydown', 'popstate'];
    for (const deed of deeds) window.addEventListener(deed, note, true);
    return () => deeds.forEach((deed) => window.removeEventListener(deed, note, true));
  }, []);
  useEffect(() => {
    if (seen !== undefined && seen === shownError()) toast.close(seen);
  }, [pathname]);
}
