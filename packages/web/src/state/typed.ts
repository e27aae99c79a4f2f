import { useCallback, useEffect, useState } from 'react';
import { onSessionEnd } from './session.ts';
import { stored } from './storage.ts';

/** Of each user, by what it is about. It may name people: beside this memory it lies only where forms do, sealed. A session that the server ended takes nobody's words away. */
const begun = new Map<string, object>();
/** What was read of what an earlier page kept. */
const read = new Map<string, Promise<unknown>>();
/** What was sent or given up on this page: a slower read does not bring it back. */
const forgotten = new Set<string>();
onSessionEnd((why) => {
  if (why !== 'logout') return;
  begun.clear();
  read.clear();
  forgotten.clear();
});
const ownName = (name: string): string => `${stored('user_id')}/${name}`;

const drafts = () => import('#web/offline/drafts.ts');
let line: Promise<unknown> = Promise.resolve();
/** One after the other: what was forgotten does not come back by a read that was quicker. Where nothing can be kept, memory is all there is. */
function inLine(job: (kept: Awaited<ReturnType<typeof drafts>>) => Promise<unknown>): Promise<unknown> {
  line = line
    .then(drafts)
    .then(job)
    .catch(() => undefined);
  return line;
}

const waiting = new Set<string>();
/** Keeps what stands there by the time that it is its turn, or that nothing does. */
function keep(name: string, unkept: readonly string[]): void {
  const own = ownName(name);
  if (waiting.has(own)) return;
  waiting.add(own);
  void inLine(async ({ saveWords, deleteWords }) => {
    waiting.delete(own);
    if (own !== ownName(name)) return;
    const words = Object.entries(begun.get(own) ?? {}).filter(([field]) => !unkept.includes(field));
    await (words.length > 0 ? saveWords(name, Object.fromEntries(words)) : deleteWords(name));
  });
}

/** Takes up what an earlier page kept, once; what is typed meanwhile is newer. */
function readOnce(name: string): Promise<unknown> {
  const own = ownName(name);
  const reading =
    read.get(own) ??
    inLine(async ({ loadWords }) => {
      const words = await loadWords(name);
      if (words && own === ownName(name) && !forgotten.has(own)) begun.set(own, { ...words, ...begun.get(own) });
    });
  read.set(own, reading);
  return reading;
}

/** Forgets all that was typed about a customer, in memory and on this phone: of somebody who was erased nothing stays. */
export function forgetTypedOf(customerId: string): void {
  for (const own of [...begun.keys(), ...read.keys()]) {
    if (!own.split('/').includes(customerId)) continue;
    begun.delete(own);
    forgotten.add(own);
  }
  void inLine(({ deleteWordsOf }) => deleteWordsOf(customerId));
}

const NONE: readonly string[] = [];

/**
 * What is typed into a form or a sheet, until it is sent: it outlives a sheet that was pushed away, a refusal, and a page that was loaded anew.
 * @param name of what it is about, a customer or a payment; what is typed about a customer has their id as a part of it, by which it goes when they are erased.
 * @param unkept fields of which nothing may lie on a disk.
 * @returns what was typed so far, a function that takes more, and one that forgets it
 */
export function useTyped<Typed extends object>(
  name: string,
  unkept: readonly string[] = NONE,
): [Partial<Typed>, (typed: Partial<Typed>) => void, () => void] {
  const [, setCount] = useState(0);
  const draw = useCallback(() => setCount((count) => count + 1), []);
  useEffect(() => void readOnce(name).then(draw), [name, draw]);
  const type = useCallback(
    (typed: Partial<Typed>) => {
      begun.set(ownName(name), { ...begun.get(ownName(name)), ...typed });
      keep(name, unkept);
      draw();
    },
    [name, unkept, draw],
  );
  const forget = useCallback(() => {
    begun.delete(ownName(name));
    forgotten.add(ownName(name));
    keep(name, unkept);
    draw();
  }, [name, unkept, draw]);
  return [(begun.get(ownName(name)) ?? {}) as Partial<Typed>, type, forget];
}
