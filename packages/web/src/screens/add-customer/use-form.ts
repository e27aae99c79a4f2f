import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import type { ApiError } from '#web/api/errors.ts';
import { slotOf } from '#web/offline/begun-forms.ts';
import { useSyncState } from '#web/offline/sync-state.ts';
import { stored } from '#web/state/storage.ts';
import type { OpenedForm } from './draft.ts';
import { isTouched, type FieldName, type Step, type Values } from './fields.ts';
import { dropForm, keepForm } from './local-forms.ts';
import { useServerDraft, type SaveState } from './use-server-draft.ts';

/** Sentences beside fields. */
export type Sentences = Partial<Record<FieldName, string>>;
export interface Form {
  values: Values;
  set: (change: Partial<Values>) => void;
  sentences: Sentences;
  /** Puts sentences beside the fields and counts it: the screen then leads to the first of them. */
  complain: (sentences: Sentences) => void;
  complaints: number;
  saveState: SaveState;
  /** Saves on the server now. @returns the customer's id. */
  saveNow: () => Promise<string | undefined>;
  /** The customer is signed up: the copy on this phone goes. */
  finish: () => Promise<void>;
  /** Makes room for a new form. @returns false when this one would be lost: it is on no server. */
  setAside: () => Promise<boolean>;
}

/** Long enough to type a word, short enough that a dying battery costs nothing. */
const KEEP_AFTER_MS = 300;

/** The form's values: kept on this phone as they are typed, on the server whenever a step is left and when the network returns. */
export function useForm(opened: OpenedForm, slot: string, step: Step, onRefused: (error: ApiError) => void): Form {
  const [values, setValues] = useState(opened.values);
  const [sentences, setSentences] = useState<Sentences>({});
  const [complaints, setComplaints] = useState(0);
  const { isOnline } = useSyncState();
  const [owner] = useState(() => stored('user_id'));
  const now = useRef({ values, step, customerId: opened.customerId, isDirty: false, isFinished: false });
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const keep = useCallback(() => {
    clearTimeout(timer.current);
    const { isFinished, isDirty, ...form } = now.current;
    // An answer may come when the session is over and another has begun: what was typed in this one is not the next user's.
    if (!isFinished && isDirty && stored('user_id') === owner)
      void keepForm(slot, form.values, form.step, form.customerId);
  }, [slot, owner]);
  const on = useMemo(
    () => ({
      id: (customerId: string) => {
        now.current.customerId = customerId;
        keep();
      },
      refused: onRefused,
    }),
    [keep, onRefused],
  );
  const { save, state } = useServerDraft(opened.customerId, on);
  const saveNow = useCallback(() => {
    keep();
    return save(now.current.values, now.current.step);
  }, [keep, save]);

  const set = useCallback(
    (change: Partial<Values>) => {
      const next = { ...now.current.values, ...change };
      Object.assign(now.current, { values: next, isDirty: true });
      setValues(next);
      setSentences((shown) =>
        Object.keys(change).some((name) => name in shown)
          ? Object.fromEntries(Object.entries(shown).filter(([name]) => !(name in change)))
          : shown,
      );
      clearTimeout(timer.current);
      timer.current = setTimeout(keep, KEEP_AFTER_MS);
    },
    [keep],
  );

  const left = useRef(step);
  useEffect(() => {
    now.current.step = step;
    if (left.current === step) return;
    left.current = step;
    if (now.current.isDirty && now.current.values.plan_id && !now.current.isFinished) void saveNow();
  }, [step, saveNow]);
  useEffect(() => {
    if (isOnline && state === 'local' && !now.current.isFinished) void saveNow();
  }, [isOnline, state, saveNow]);
  useEffect(() => {
    window.addEventListener('pagehide', keep);
    return () => {
      window.removeEventListener('pagehide', keep);
      keep();
    };
  }, [keep]);

  const complain = useCallback((next: Sentences) => {
    setSentences(next);
    setComplaints((count) => count + 1);
  }, []);
  const setAside = useCallback(async () => {
    const { customerId, values: typed } = now.current;
    const id = customerId ?? (typed.plan_id ? await saveNow() : undefined);
    if (!id && isTouched(typed)) return false;
    now.current.isFinished = true;
    clearTimeout(timer.current);
    if (id) await keepForm(slotOf(id), now.current.values, now.current.step, id);
    await dropForm(slot);
    return true;
  }, [saveNow, slot]);
  const finish = useCallback(async () => {
    now.current.isFinished = true;
    clearTimeout(timer.current);
    await dropForm(slot);
  }, [slot]);
  return { values, set, sentences, complain, complaints, saveState: state, saveNow, finish, setAside };
}
