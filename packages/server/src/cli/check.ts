import { CHECKS, type InvariantState, checkInvariants, invariantStates } from '#server/locking/invariants.ts';
import { nounOf, type Outcome } from './verbs.ts';

const told = (state: InvariantState): string => {
  const since = state.checked_at === null ? 'never looked at' : `looked at ${state.checked_at}`;
  const claims = state.claims > 0 ? `, ${state.claims} phone says otherwise of itself` : '';
  return `${state.invariant.padEnd(3)} ${state.state.padEnd(9)} ${state.name} (${since}${claims})`;
};

const outcomeOf = (states: readonly InvariantState[]): Outcome => ({
  lines: states.flatMap((state) => [
    told(state),
    ...state.found.map(({ id, detail }) => `    ${state.violations > 0 ? 'VIOLATION' : 'claim'} ${id}: ${detail}`),
  ]),
  data: states,
  isInOrder: states.every(({ state }) => state === 'holds'),
});

/** What whoever answers for the product asks it: whether what always holds still does. */
export const checkCommands = nounOf('check', 'what must always hold, of an organisation', {
  invariants: {
    says: 'looks at I1 to I12 now, part by part, and notes what it found; ends with 1 when anything is violated',
    takes: ['ORG'],
    example: 'kist check invariants 20 --json',
    async run({ database }, { orgId }) {
      await checkInvariants(database, orgId);
      return outcomeOf(await database.read(orgId, invariantStates));
    },
  },
  state: {
    says: 'how each stands by the last look; one that is older than 26 hours is not in order either',
    takes: ['ORG'],
    example: 'kist check state 20',
    run: async ({ database }, { orgId }) => outcomeOf(await database.read(orgId, invariantStates)),
  },
  list: {
    says: 'the table of them: what always holds, and what a green answer proves',
    takes: [],
    example: 'kist check list',
    run: async () => ({
      lines: Object.entries(CHECKS).map(([invariant, { name, proves }]) => `${invariant.padEnd(3)} ${name}. ${proves}`),
      data: Object.entries(CHECKS).map(([invariant, { name, proves }]) => ({ invariant, name, proves })),
    }),
  },
});
