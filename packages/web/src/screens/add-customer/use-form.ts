import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ApiError } from '#web/api/errors.ts';
import { slotOf } from '#web/offline/begun-forms.ts';
import { useSyncState } from '#web/offline/sync-state.ts';
import { stored } from '#web/state/storage.ts';
import { useFirstWrong } from '#web/ui/first-wrong.ts';
import type { OpenedForm, Signed } from './draft.ts';
import { isTouched, type FieldName, type Step, type Values } from './fields.ts';
import { dropForm, formsKept, keepForm } from './local-forms.ts';
import { useServerDraft, type SaveState } from './use-server-draft.ts';

/** Sentences beside fields. */
export type Sentences = Partial<Record<FieldName, string>>;
export interface Form {
  values: Values;
  set: (change: Partial<Values>) => void;
  /** The signature that the form was opened with. */
  signed: Signed | undefined;
  /** Keeps the signature with the form; undefined: it was cleared. */
  sign: (signed: Signed | undefined) => void;
  sentences: Sentences;
  /** Puts sentences beside the fields, and leads to the first of them. */
  complain: (sentences: Sentences) => void;
  saveState: SaveState;
  /** Resolves when what was typed lies on this phone, for a page that may be loaded anew. */
  keepNow: () => Promise<void>;
  /** Saves on the server now. @returns the customer's id. */
  saveNow: () => Promise<string | undefined>;
  /** The customer is signed up: the copy on this phone goes. */
  finish: () => Promise<void>;
  /** Makes room for a new form. @returns false when this one would be lost: it is on no server. */
  setAside: () => Promise<boolean>;
}

/** Long enough to type a word, short enough that a dying battery costs nothing. */
const KEEP_AFTER_MS = 300;

interface Now {
  values: Values;
  step: Step;
  customerId: string | undefined;
  isDirty: boolean;
  isFinished: boolean;
  signed: Signed | undefined;
}
/** What the form holds at this moment, for what happens between renders. */
function holding(first: Now) {
  let now = first;
  return {
    now: () => now,
    note: (change: Partial<Now>) => {
      now = { ...now, ...change };
    },
  };
}
type Held = ReturnType<typeof holding>;

/** The copy on this phone: kept soon after the last key, and at once when the page is left. `end` keeps it no more. */
function useLocalCopy(held: Held, slot: string) {
  const [owner] = useState(() => stored('user_id'));
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const keep = useCallback(() => {
    clearTimeout(timer.current);
    const { isFinished, isDirty, ...form } = held.now();
    // An answer may come when the session is over and another has begun: what was typed in this one is not the next user's.
    if (!isFinished && isDirty && stored('user_id') === owner)
      void keepForm(slot, form.values, form.step, form.customerId, form.signed);
  }, [held, slot, owner]);
  const keepSoon = useCallback(() => {
    clearTimeout(timer.current);
    timer.current = setTimeout(keep, KEEP_AFTER_MS);
  }, [keep]);
  const end = useCallback(() => {
    held.note({ isFinished: true });
    clearTimeout(timer.current);
  }, [held]);
  useEffect(() => {
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [keep]);
  return { keep, keepSoon, end };
}

/** The copy on the server: saved whenever a step is left, and when the network returns to a form that it could not take. */
function useServerCopy(
  held: Held,
  of: { knownId: string | undefined; step: Step; keep: () => void; onRefused: (error: ApiError) => void },
) {
  const { knownId, step, keep, onRefused } = of;
  const { isOnline } = useSyncState();
  const on = useMemo(
    () => ({
      id: (customerId: string) => {
        held.note({ customerId });
        keep();
      },
      refused: onRefused,
    }),
    [held, keep, onRefused],
  );
  const { save, state } = useServerDraft(knownId, on);
  const saveNow = useCallback(() => {
    keep();
    return save(held.now().values, held.now().step);
  }, [held, keep, save]);
  const left = useRef(step);
  useEffect(() => {
    held.note({ step });
    if (left.current === step) return;
    left.current = step;
    const { isDirty, values, isFinished } = held.now();
    if (isDirty && values.plan_id && !isFinished) void saveNow();
  }, [held, step, saveNow]);
  useEffect(() => {
    if (isOnline && state === 'local' && !held.now().isFinished) void saveNow();
  }, [held, isOnline, state, saveNow]);
  return { saveNow, saveState: state };
}

/** The sentences beside the fields; one goes as soon as its field is changed. */
function useSentences(step: Step) {
  const [sentences, setSentences] = useState<Sentences>({});
  const lead = useFirstWrong(step);
  const complain = useCallback(
    (next: Sentences) => {
      setSentences(next);
      lead();
    },
    [lead],
  );
  const forgive = useCallback(
    (change: Partial<Values>) =>
      setSentences((shown) =>
        Object.keys(change).some((name) => name in shown)
          ? Object.fromEntries(Object.entries(shown).filter(([name]) => !(name in change)))
          : shown,
      ),
    [],
  );
  return { sentences, complain, forgive };
}

/** The form's values: kept on this phone as they are typed, on the server whenever a step is left and when the network returns. */
export function useForm(opened: OpenedForm, slot: string, step: Step, onRefused: (error: ApiError) => void): Form {
  const [values, setValues] = useState(opened.values);
  const [held] = useState(() =>
    holding({ values, step, customerId: opened.customerId, isDirty: false, isFinished: false, signed: opened.signed }),
  );
  const { sentences, complain, forgive } = useSentences(step);
  const { keep, keepSoon, end } = useLocalCopy(held, slot);
  const { saveNow, saveState } = useServerCopy(held, { knownId: opened.customerId, step, keep, onRefused });

  const set = useCallback(
    (change: Partial<Values>) => {
      const next = { ...held.now().values, ...change };
      held.note({ values: next, isDirty: true });
      setValues(next);
      forgive(change);
      keepSoon();
    },
    [held, forgive, keepSoon],
  );
  const sign = useCallback(
    (signed: Signed | undefined) => {
      held.note({ signed, isDirty: true });
      // Strokes come seconds apart, and a page that is left does not wait for the sealing.
      keep();
    },
    [held, keep],
  );
  const setAside = useCallback(async () => {
    const { customerId, values: typed } = held.now();
    const id = customerId ?? (typed.plan_id ? await saveNow() : undefined);
    if (!id && isTouched(typed)) return false;
    end();
    if (id) await keepForm(slotOf(id), held.now().values, held.now().step, id, held.now().signed);
    await dropForm(slot);
    return true;
  }, [held, saveNow, end, slot]);
  const keepNow = useCallback(async () => {
    keep();
    await formsKept();
  }, [keep]);
  const finish = useCallback(async () => {
    end();
    await dropForm(slot);
  }, [end, slot]);
  const { signed } = opened;
  return { values, set, signed, sign, sentences, complain, saveState, keepNow, saveNow, finish, setAside };
}
