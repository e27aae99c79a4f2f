/** How far the product's present is ahead of this phone's clock. */
let offsetMs = 0;

/** @param now `now` of getUserAccess, ISO 8601. */
export function learnShopTime(now: string): void {
  const atMs = Date.parse(now);
  if (Number.isFinite(atMs)) offsetMs = atMs - Date.now();
}

/** The product's present as far as it is known: ages of what the server dated are told by it, whatever this phone's clock says and wherever a demo moved its own. */
export const shopNowMs = (): number => shopTimeOf(Date.now());

/** @param phoneMs a moment of this phone's clock, ms. @returns the same moment by the product's. */
export const shopTimeOf = (phoneMs: number): number => phoneMs + offsetMs;
