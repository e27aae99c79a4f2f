import type { CustomerRow } from '@kist/contract/customers';
import { LIMITS } from '@kist/contract/limits';
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

/** Whether each word stands somewhere in what a row shows or is called by: numbers as they are printed, with dots, brackets and dashes or without. */
function isMeant(row: CustomerRow, words: readonly string[]): boolean {
  const { first_name, last_name, mobile, imei1, agreement_no, device } = row;
  const text = folded([first_name, last_name, mobile, imei1, agreement_no, device].join(' '));
  const undashed = text.replaceAll('-', '');
  return words.every((word) => {
    const number = /^[+\d().-]+$/.test(word) ? word.replaceAll(/\D/g, '').replace(/^0+(?=\d{5})/, '') : '';
    return text.includes(word) || undashed.includes(number || word.replaceAll('-', '') || word);
  });
}

/**
 * Looks for customers among those that this phone has shown. Names are found as they are written; by sound only the server finds them.
 * @param pages the newest first.
 * @returns a page of the answer, as old as the oldest of what it was taken from; undefined where nothing is searched for, or there is nothing to look through.
 */
export function searchKept(pages: readonly KeptPage[], asked: LooseInput) {
  const { search, page = 1, page_size = LIMITS.pageSize } = asked.query ?? {};
  const words = folded(`${search ?? ''}`)
    .split(/[\s,•]+/)
    .filter(Boolean);
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
  const found = [...known.values()].filter(({ row }) => isMeant(row, words));
  const [no, size] = [Number(page), Number(page_size)];
  const list = found.slice((no - 1) * size, no * size).map(({ row }) => row);
  const atMs = Math.min(...(found.length > 0 ? found : fit).map((one) => one.atMs));
  return { data: { list, total: found.length, page: no, page_size: size }, atMs, isSearched: true };
}
