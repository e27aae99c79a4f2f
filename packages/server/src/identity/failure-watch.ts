import { hmacSha256 } from '#server/platform/crypto.ts';
import type { Ports } from '#server/platform/ports.ts';

/** Wrong codes and PINs as seen by this process: the metric's source, and the alarm against guesses spread over many accounts. */
export interface FailureWatch {
  failed(kind: 'otp' | 'mpin', mobileHash: string): void;
}

/** @param whose the mobile that was named, or the user whose session it was */
export const countFailure = ({ identity }: Ports, kind: 'otp' | 'mpin', whose: string): void =>
  identity.watch.failed(kind, hmacSha256(identity.pepper, whose).toString('hex'));

export interface FailureWatchOptions {
  count: (kind: 'otp' | 'mpin') => void;
  /** Called once for each window in which too many different mobiles failed. */
  alarm: (failures: number) => void;
  nowMs?: () => number;
}

const windowMs = 10 * 60_000;
/** People mistype: a busy evening of one process has a few. Forty failures over twenty mobiles in ten minutes are no accident. */
const alarmFailures = 40;
const alarmMobiles = 20;

export function createFailureWatch({ count, alarm, nowMs = Date.now }: FailureWatchOptions): FailureWatch {
  let startedMs = nowMs();
  let failures = 0;
  let isAlarmed = false;
  const mobiles = new Set<string>();
  return {
    failed(kind, mobileHash) {
      count(kind);
      if (nowMs() - startedMs >= windowMs) {
        startedMs = nowMs();
        failures = 0;
        isAlarmed = false;
        mobiles.clear();
      }
      failures += 1;
      if (mobiles.size < alarmMobiles) mobiles.add(mobileHash);
      if (isAlarmed || failures < alarmFailures || mobiles.size < alarmMobiles) return;
      isAlarmed = true;
      alarm(failures);
    },
  };
}
