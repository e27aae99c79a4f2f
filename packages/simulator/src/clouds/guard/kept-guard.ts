import { randomBytes } from 'node:crypto';
import { stateFile } from '#simulator/state-file.ts';
import type { GuardKept } from './books.ts';
import { createGuardCloud } from './guard-cloud.ts';
import type { GuardCloud, GuardCloudOptions } from './guard-cloud.ts';
import { GuardFleet } from './guard-fleet.ts';
import type { GuardPhoneFile } from './guard-fleet.ts';

export interface KeptGuardOptions extends Omit<GuardCloudOptions, 'factoryKey' | 'kept' | 'onChange'> {
  nowMs: () => number;
  /** undefined: nothing survives. */
  stateDir: string | undefined;
  /** The one kept in the folder, or a new one, when absent. */
  factoryKey?: string;
  /** After every change of the cloud or a phone. */
  changed?: () => void;
}

export interface KeptGuard {
  cloud: GuardCloud;
  /** Once it is known where the cloud answers. */
  openFleet: (cloudUrl: string) => GuardFleet;
}

/** The guard cloud and its phones, with files that say everything before an answer is given: a kill loses nothing that was promised. */
export function openKeptGuard({ stateDir, changed = () => {}, ...options }: KeptGuardOptions): KeptGuard {
  const books = stateFile<{ factoryKey: string; kept: GuardKept }>(stateDir, 'guard-cloud.json');
  const phones = stateFile<GuardPhoneFile[]>(stateDir, 'guard-phones.json');
  const before = books.load();
  const factoryKey = options.factoryKey ?? before?.factoryKey ?? randomBytes(32).toString('hex');
  const cloud = createGuardCloud({
    ...options,
    factoryKey,
    ...(before ? { kept: before.kept } : {}),
    onChange: (kept) => {
      books.save({ factoryKey, kept });
      changed();
    },
  });
  return {
    cloud,
    openFleet: (cloudUrl) =>
      new GuardFleet({
        cloudUrl,
        secretOf: (imei, serial) => cloud.secretOf(imei, serial),
        nowMs: options.nowMs,
        kept: phones.load() ?? [],
        onChange: (files) => {
          phones.save(files);
          changed();
        },
      }),
  };
}
