import { COMMANDS, strengthOf } from '@kist/contract/commands';
import type { Adapter, Lookup, DeviceTarget } from '#server/commands/adapter.ts';

export interface AndroidAgentPorts {
  /** Ends the phone's long poll, in whatever process holds it. */
  signal: (deviceIds: readonly string[]) => void;
  lastReport: (target: DeviceTarget) => Promise<Lookup>;
}

/** Own agent on Android (DPC, LINKFL): the phone always comes to us, so sending is a knock. A phone that does not hear it comes by itself. */
export function createAndroidAgent({ signal, lastReport }: AndroidAgentPorts): Adapter {
  return {
    vendor: 'android-agent',
    provisioning: ['DPC', 'LINKFL'],
    supports: (kind, type) => strengthOf(kind, COMMANDS[type].feature),
    send: async (targets) => {
      signal(targets.map((target) => target.deviceId));
      return targets.map(() => ({ outcome: 'told' }));
    },
    lookup: lastReport,
  };
}
