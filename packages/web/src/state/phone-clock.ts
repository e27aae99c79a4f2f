/**
 * This phone's own clock: how long to wait, how old something is that was put aside here. What the server dated is told by the product's
 * clock (shop-clock.ts), which a demo moves and a phone that goes wrong does not.
 */
export const phoneNowMs = (): number => Date.now();
