import type { CustomerRow } from '@kist/contract/customers';
import { LIMITS } from '@kist/contract/limits';
import type { soundOf, wordsOf } from '@kist/contract/search-words';
import type { LooseInput } from '#web/api/calls.ts';

/** A page of the list of customers as it was kept, and when it came. */
interface KeptPage {
  input: LooseInput;
  data: unknown;
  atMs: number;
}
type Query = NonNullable<LooseInput['query']>;

/** What of a question says which part of the answer is wanted, in which order; all else narrows it. */
const NO_NARROWING = ['search', 'page', 'page_size', 'sort', 'refresh'];
function narrowingOf({ query = {} }: LooseInput): Map<string, string> {
  const { sort, due } = query;
  // In that order the list has the overdue alone.
  const all: Query = { ...query, due: due || (sort === 'overdue' ? 'overdue' : undefined) };
  const said = Object.entries(all).filter(([name, value]) => !NO_NARROWING.includes(name) && value && value !== 'all');
  return new Map(said.map(([name, value]) => [name, `${value}`]));
}

/** Digits of India's scripts, whose blocks of Unicode are built alike. */
const INDIC_DIGIT = /(?=\p{Nd})[\u0900-\u0d7f]/gu;
const folded = (text: string) =>
  text
    .normalize('NFC')
    .replaceAll(INDIC_DIGIT, (digit) => `${(digit.charCodeAt(0) & 0x7f) - 0x66}`)
    .toLowerCase();

/** How words of a search are meant, and how they sound: the contract's `search-words`, by which the server finds. */
interface Hearing {
  wordsOf: typeof wordsOf;
  soundOf: typeof soundOf;
}

interface Word {
  /** As it was typed, and as it stands without the dots, brackets and dashes that numbers are printed with. */
  forms: readonly [typed: string, undashed: string];
  sound: RegExp | undefined;
}
function wordOf(word: string, hearing: Hearing | undefined): Word {
  const number = /^[+\d().-]+$/.test(word) ? word.replaceAll(/\D/g, '').replace(/^0+(?=\d{5})/, '') : '';
  const sound = hearing?.soundOf(word)?.begins;
  return {
    forms: [word, number || word.replaceAll('-', '') || word],
    sound: sound ? new RegExp(sound, 'u') : undefined,
  };
}

/** How well a row fits: 0 where each word stands somewhere in what it shows or is called by, 1 where some are only heard there; undefined: it is not meant. */
function fitOf(row: CustomerRow, words: readonly Word[]): number | undefined {
  const { first_name, last_name, mobile, imei1, agreement_no, device } = row;
  const text = folded([first_name, last_name, mobile, imei1, agreement_no, device].join(' '));
  const undashed = text.replaceAll('-', '');
  const unwritten = words.filter(({ forms }) => !text.includes(forms[0]) && !undashed.includes(forms[1]));
  if (!unwritten.every(({ sound }) => sound?.test(text))) return undefined;
  return unwritten.length > 0 ? 1 : 0;
}

/**
 * Looks for customers among those that this phone has shown.
 * @param pages the newest first.
 * @param hearing finds names by sound too, behind those that are written so; without it they are found as they are written.
 * @returns a page of the answer, as old as the oldest of what it was taken from; undefined where nothing is searched for, or there is nothing to look through.
 */
export function searchKept(pages: readonly KeptPage[], asked: LooseInput, hearing?: Hearing) {
  const { search = '', page = 1, page_size = LIMITS.pageSize } = asked.query ?? {};
  const typed = folded(`${search}`)
    .split(/[\s,•]+/)
    .filter(Boolean);
  const words = (hearing?.wordsOf(`${search}`).needed ?? typed).map((word) => wordOf(word, hearing));
  const wanted = [...narrowingOf(asked)];
  const fit = pages.filter(({ input }) => {
    const narrowed = narrowingOf(input);
    return wanted.every(([name, value]) => narrowed.get(name) === value);
  });
  if (words.length === 0 || fit.length === 0) return undefined;
  const known = new Map<string, { row: CustomerRow; atMs: number }>();
  for (const { data, atMs } of fit)
    for (const row of (data as { list: CustomerRow[] }).list)
      if (!known.has(row.customer_id)) known.set(row.customer_id, { row, atMs });
  const found = [...known.values()]
    .map((one) => ({ ...one, fit: fitOf(one.row, words) }))
    .filter((one) => one.fit !== undefined)
    .toSorted((one, other) => one.fit! - other.fit!);
  const [no, size] = [Number(page), Number(page_size)];
  const list = found.slice((no - 1) * size, no * size).map(({ row }) => row);
  const atMs = Math.min(...(found.length > 0 ? found : fit).map((one) => one.atMs));
  return { data: { list, total: found.length, page: no, page_size: size }, atMs, isSearched: true };
}
