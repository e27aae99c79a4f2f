/** The years that both sides can write; a phone's clock may stand anywhere. */
const EARLIEST_MS = Date.UTC(1970, 0, 1);
const LATEST_MS = Date.UTC(2999, 0, 1);

/** @returns a phone's word on a moment as an instant that the database can keep; the nearest one when it is out of range. */
export const storable = (text: string): string =>
  new Date(Math.min(Math.max(Date.parse(text) || EARLIEST_MS, EARLIEST_MS), LATEST_MS)).toISOString();
