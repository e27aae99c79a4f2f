import { tokenName } from '@kist/contract/agent';
import { INT4_MAX } from '@kist/contract/limits';
import type { CodeName, PlanePorts } from '#server/commands/adapter.ts';
import { microBatch } from '#server/platform/micro-batch.ts';
import { BATCH, LANE, SUSPECTS_LANE, notNow } from './phone-keys.ts';

/** Whether an enrolment's name may be a code's: what is cheap to ask, before anything of the question that is dear. */
export interface CodeNames {
  isCode(name: string): Promise<boolean>;
  /** In the lane of suspects. @throws KistError RATE_LIMITED when more of them wait than can be looked up soon */
  isOfSuspect(name: string): boolean | Promise<boolean>;
}

/** How a token begins: its organisation in base 36, and what of its random bits has room. */
const NAME = /^([0-9a-z]{1,6})\.[A-Za-z0-9_-]{9,14}$/;

export function createCodeNames(plane: Pick<PlanePorts, 'areCodes'>): CodeNames {
  const laneOf = (lane: typeof LANE | typeof SUSPECTS_LANE) =>
    microBatch((names: CodeName[]) => plane.areCodes(names), { ...BATCH, ...lane });
  const [lookUp, lookUpSuspect] = [laneOf(LANE), laneOf(SUSPECTS_LANE)];
  return {
    isCode: async (name) => {
      const code = codeIn(name);
      return code !== undefined && lookUp(code);
    },
    isOfSuspect: (name) => {
      const code = codeIn(name);
      return code !== undefined && lookUpSuspect(code).catch(notNow);
    },
  };
}

function codeIn(name: string): CodeName | undefined {
  const orgId = Number.parseInt(NAME.exec(name)?.[1] ?? '', 36);
  return orgId > 0 && orgId <= INT4_MAX && tokenName(`${name}-`) === name ? { orgId, name } : undefined;
}
