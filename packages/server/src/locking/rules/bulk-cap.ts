/** Enough for a morning's work, too few to lock a town. */
const CAP_MIN = 50;
const CAP_SHARE = 0.02;

/** Locks of one organisation in an hour by orders to many, unless a second person agrees to more. @param phones all that it looks after */
export const locksAnHour = (phones: number): number => Math.max(CAP_MIN, Math.floor(phones * CAP_SHARE));
