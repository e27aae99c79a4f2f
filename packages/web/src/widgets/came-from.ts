import { useLocation } from 'react-router';

/** What a list gives along to a page that it opens, in the history's entry: it outlives a reload and stands in no address. */
export interface CameFrom {
  /** The list, with what it was narrowed by. */
  cameFrom: string;
}

/** @returns where the page was opened from, when that was a list that one wants back to as it was. */
export const useCameFrom = (): string | undefined => (useLocation().state as Partial<CameFrom> | null)?.cameFrom;
