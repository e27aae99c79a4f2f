import type { PenalRule } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';
import { formatInr, hundredthsOf } from '@kist/contract/money-text';
import { SYSTEM } from '#server/identity/identity.ts';
import { UsageError } from './command.ts';
import { type Given, type Outcome, type Verbs, nounOf } from './verbs.ts';

/** Rupees or per cent of one word, in hundredths. */
const MOST = 999_999_999_99;

/** A decimal as people write it, exact: `99.5` rupees is 9950 paise, `2.5` per cent 250 basis points. @throws UsageError */
function hundredths(name: string, text: string | undefined): number {
  const found = hundredthsOf(text ?? '');
  if (found === undefined || found > MOST) throw new UsageError(`--${name} is a number, with two decimals at most`);
  return found;
}

function days(name: string, text: string | undefined): number {
  if (!/^\d{1,3}$/.test(text ?? '')) throw new UsageError(`--${name} is a number of days`);
  return Number(text);
}

function words(name: string, text: string | undefined): string {
  if (!text || text.trim() === '') throw new UsageError(`--${name} says ${name === 'by' ? 'who decided' : 'why'}`);
  return text;
}

/** What stands behind `penal set ORG`. @throws UsageError */
export function penalRuleOf(given: Given): Parameters<typeof agreements.setPenalRule>[2] {
  return {
    charge_paise: hundredths('charge', given.text('charge')),
    grace_days: days('grace', given.text('grace')),
    every_days: days('every', given.text('every')),
    cap_bps: hundredths('cap', given.text('cap')),
    is_daily: !given.isSet('by-hand'),
    waiver_limit_paise: hundredths('waiver-limit', given.text('waiver-limit')),
    set_by: words('by', given.text('by')),
    reason: words('reason', given.text('reason')),
  };
}

const said = (rule: PenalRule): string =>
  [
    `version ${rule.version}, set ${rule.set_at.toISOString().slice(0, 10)} by ${rule.set_by}: ${rule.reason}`,
    rule.charge_paise === 0
      ? '  no penal charges'
      : `  ${formatInr(rule.charge_paise)} for each started ${rule.every_days} days, after ${rule.grace_days} days of grace, ` +
        `at most ${rule.cap_bps / 100} % of what is left of the instalment, ${rule.is_daily ? 'by the daily run' : 'by hand'}`,
    `  a waiver beyond ${formatInr(rule.waiver_limit_paise)} takes a second person`,
  ].join('\n');

const listed = (rules: readonly PenalRule[]): Outcome => ({
  data: rules,
  lines: rules.length > 0 ? rules.map(said) : ['No rule was ever set: no penal charges are made.'],
});

/** The penal rule of an organisation: agreements keep the version that they were signed under. */
export const penalVerbs: Verbs = {
  show: {
    says: 'the penal rule for agreements signed from now on, and its versions',
    takes: ['ORG'],
    example: 'kist penal show 21',
    run: async ({ database }, { orgId }) => listed(await database.read(orgId, agreements.penalRules)),
  },
  set: {
    says: 'another version for agreements signed from now on; those of before keep theirs',
    takes: ['ORG'],
    options: {
      charge: { type: 'string' },
      grace: { type: 'string' },
      every: { type: 'string' },
      cap: { type: 'string' },
      'waiver-limit': { type: 'string' },
      'by-hand': { type: 'boolean' },
      by: { type: 'string' },
      reason: { type: 'string' },
    },
    teaches: {
      charge: 'rupees of one charge; 0: none are made',
      grace: 'days after the due day that cost nothing',
      every: 'days until the next charge of the same EMI',
      cap: 'per cent of what is left of the EMI, all charges together',
      'waiver-limit': 'rupees beyond which a waiver takes a second person',
      'by-hand': 'not by the daily run: somebody charges each',
      by: 'who decided',
      reason: 'why; it stands with the version',
    },
    example:
      'kist penal set 21 --charge 100 --grace 3 --every 30 --cap 5 --waiver-limit 500 --by "R. Shah" --reason "told on the form from 1 March"',
    async run({ database, openOperator }, given) {
      const { orgId } = given;
      const rule = penalRuleOf(given);
      await openOperator().transaction(orgId, (tx) => agreements.setPenalRule(tx, SYSTEM(orgId), rule));
      return listed(await database.read(orgId, agreements.penalRules));
    },
  },
};

export const penalCommands = nounOf('penal', 'penal charges of agreements signed from now on', penalVerbs);
