import type { Location } from 'react-router';

/** @returns the page that a message lies on. The steps of a sale have one address; each is a page with fields of its own all the same. */
export const pageOf = ({ pathname, state }: Pick<Location<unknown>, 'pathname' | 'state'>): string =>
  [pathname, (state as { step?: string | number } | null)?.step].filter((part) => part !== undefined).join(' ');
