/** How a phone stands to its sale. */
export interface SoldPhone {
  isReleased: boolean;
  /** Reported lost or stolen, or kept so by its owner's word. */
  isMissed: boolean;
  isEnrolled: boolean;
  /** An agreement that still runs stands on it. */
  isRunning: boolean;
}

/** Whether a phone may be let go of: one that was never set up, or whose agreement is over; never one that its owner misses. */
export const mayBeLetGo = ({ isReleased, isMissed, isEnrolled, isRunning }: SoldPhone): boolean =>
  !isReleased && !isMissed && !(isEnrolled && isRunning);
