import { DAY_MS } from '@kist/contract/dates';
import type { CallName } from '@kist/contract/paths';
import type { LooseInput } from '#web/api/calls.ts';
import { whenIdle } from '#web/native/when-idle.ts';
import { stored } from '#web/state/storage.ts';
import { idbRows } from './idb-rows.ts';
import { KEPT } from './kept-names.ts';
import { searchKept } from './search-kept.ts';

const DAYS = 7;
const MOST = 400;
/** Answers of the same question in a row are one write. */
const SETTLE_MS = 250;
/** An answer that says the same again is written no more often. */
const AGAIN_MS = 60_000;
const TIDY_AFTER_MS = 15_000;

interface KeptRead {
  id: string;
  /** What was asked; an answer that an older build kept says none. */
  name?: CallName;
  input: LooseInput;
  data: unknown;
  /** Of this phone's clock, ms. */
  atMs: number;
}
const isSignedIn = (owner: string) => owner !== '' && owner === stored('user_id');
const rows = idbRows<KeptRead>('reads', isSignedIn);

/**
 * How names sound is in a file of its own, which no first visit brings. It is fetched with the first list of customers and had without a network from then on;
 * where it never came, names are found as they are written.
 */
const hearing = () => import('@kist/contract/search-words').catch(() => undefined);
/** On a line on which nothing comes back a search does not wait for it. */
const HEARD_WITHIN_MS = 1500;
const heardSoon = () =>
  Promise.race([hearing(), new Promise<undefined>((resolve) => setTimeout(() => resolve(undefined), HEARD_WITHIN_MS))]);

/** A name that tells nothing: what was searched for is in the question. */
async function idOf(owner: string, name: CallName, input: LooseInput): Promise<string> {
  const text = new TextEncoder().encode(JSON.stringify([owner, name, input]));
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', text));
  return Array.from(hash.slice(0, 16), (byte) => byte.toString(16).padStart(2, '0')).join('');
}

const waiting = new Map<string, { row: KeptRead; owner: string; timer: ReturnType<typeof setTimeout> }>();
const written = new Map<string, { text: string; atMs: number }>();

async function write(id: string): Promise<void> {
  const due = waiting.get(id);
  if (!due) return;
  clearTimeout(due.timer);
  await rows.put(due.owner, id, due.row).catch(() => undefined);
  // Until it lies on the disk it is found here.
  if (waiting.get(id) === due) waiting.delete(id);
}

const isKept = (name: CallName): boolean =>
  KEPT.has(name) && (crypto as { subtle?: SubtleCrypto }).subtle !== undefined;

/**
 * Keeps an answer for the days without a network; ends with the session.
 * @param owner who was signed in when it was asked for: of anybody else's it is not kept
 */
export async function keepRead(owner: string, name: CallName, input: LooseInput, data: unknown): Promise<void> {
  if (!isKept(name) || !isSignedIn(owner)) return;
  if (name === 'listCustomers') whenIdle(() => void hearing());
  const id = await idOf(owner, name, input);
  const text = JSON.stringify(data);
  const before = written.get(id);
  const atMs = Date.now();
  if (before?.text === text && atMs - before.atMs < AGAIN_MS) return;
  written.set(id, { text, atMs });
  clearTimeout(waiting.get(id)?.timer);
  waiting.set(id, { owner, row: { id, name, input, data, atMs }, timer: setTimeout(() => void write(id), SETTLE_MS) });
}

const isYoung = ({ atMs }: KeptRead): boolean => Date.now() - atMs < DAYS * DAY_MS;

/** An answer that this phone has. */
export interface Kept {
  data: unknown;
  /** When it came, ms of this phone's clock. */
  atMs: number;
  /** Nobody answered this very question: it was looked through what others were answered with. */
  isSearched?: boolean;
}

/** @returns the last answer to this question, not older than a week; to a search for customers who is among those that were shown. */
export async function keptRead(name: CallName, input: LooseInput): Promise<Kept | undefined> {
  const owner = stored('user_id');
  if (!isKept(name) || !isSignedIn(owner)) return undefined;
  const id = await idOf(owner, name, input);
  const row = waiting.get(id)?.row ?? (await rows.get(owner, id).catch(() => undefined));
  if (row && isYoung(row)) return row;
  return name === 'listCustomers' && input.query?.['search']
    ? searchKept(await pagesOf(owner, name), input, await heardSoon())
    : undefined;
}

/** All pages of a list, the newest first, those among them that are being written. */
async function pagesOf(owner: string, name: CallName): Promise<KeptRead[]> {
  const lying = await rows.list(owner).catch(() => []);
  const fresh = [...waiting.values()].filter((due) => due.owner === owner).map((due) => due.row);
  const own = new Map([...lying, ...fresh].map((row) => [row.id, row]));
  return [...own.values()]
    .filter((row) => row.name === name && isYoung(row))
    .toSorted((one, other) => other.atMs - one.atMs);
}

/** Wipes the answers of everybody who is not signed in, and the keys that open them. */
export async function keepOnlyOwnReads(): Promise<void> {
  const owner = stored('user_id');
  for (const [id, { owner: whose, timer }] of waiting)
    if (whose !== owner) {
      clearTimeout(timer);
      waiting.delete(id);
    }
  if (!owner) written.clear();
  await rows.keepOnly(owner);
}

/** What is older than a week goes, and of more than the phone needs the oldest. */
async function tidy(): Promise<void> {
  const owner = stored('user_id');
  if (!owner) return;
  const own = (await rows.list(owner)).toSorted((one, other) => other.atMs - one.atMs);
  for (const [place, row] of own.entries()) if (place >= MOST || !isYoung(row)) await rows.remove(row.id);
}

if (typeof window !== 'undefined') {
  window.addEventListener('pagehide', () => {
    for (const id of waiting.keys()) void write(id);
  });
  setTimeout(() => void tidy().catch(() => undefined), TIDY_AFTER_MS);
}
