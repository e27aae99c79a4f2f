/** Payments of a page. Rows and sums ask for the same first page, so that one answer serves both. */
export const PAGE_SIZE = 30;
