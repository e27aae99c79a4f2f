import { parseArgs } from 'node:util';
import { formatInr } from '@kist/contract/money-text';
import type { PenalRule } from '#server/agreements/agreements.ts';
import * as agreements from '#server/agreements/agreements.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { type Command, orgOf, UsageError, write } from './command.ts';
import { withData } from './data.ts';

const OPTIONS = {
  charge: { type: 'string' },
  grace: { type: 'string' },
  every: { type: 'string' },
  cap: { type: 'string' },
  'waiver-limit': { type: 'string' },
  by: { type: 'string' },
  reason: { type: 'string' },
  'by-hand': { type: 'boolean', default: false },
} as const;

/** A decimal as people write it, exact: `99.5` rupees is 9950 paise, `2.5` per cent 250 basis points. @throws UsageError */
function hundredths(name: string, text: string | undefined): number {
  const [, whole, part = ''] = /^(\d{1,9})(?:\.(\d{1,2}))?$/.exec(text ?? '') ?? [];
  if (whole === undefined) throw new UsageError(`--${name} is a number, with two decimals at most`);
  return Number(whole) * 100 + Number(part.padEnd(2, '0'));
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
export function penalRuleOf(args: readonly string[]): Parameters<typeof agreements.setPenalRule>[2] {
  const { values } = parseArgs({ args: [...args], options: OPTIONS });
  return {
    charge_paise: hundredths('charge', values.charge),
    grace_days: days('grace', values.grace),
    every_days: days('every', values.every),
    cap_bps: hundredths('cap', values.cap),
    is_daily: !values['by-hand'],
    waiver_limit_paise: hundredths('waiver-limit', values['waiver-limit']),
    set_by: words('by', values.by),
    reason: words('reason', values.reason),
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

/** The penal rule of an organisation: agreements keep the version that they were signed under. */
export const penalCommands: Record<string, Command> = {
  penal: {
    usage:
      'penal show ORG | penal set ORG --charge RUPEES --grace DAYS --every DAYS --cap PERCENT --waiver-limit RUPEES [--by-hand] --by NAME --reason TEXT',
    says: 'the penal rule for agreements signed from now on, and its versions',
    run: ([verb, org, ...args]) => {
      if (verb !== 'show' && verb !== 'set') throw new UsageError('penal show ORG, or penal set ORG …');
      const orgId = orgOf(org);
      const rule = verb === 'set' ? penalRuleOf(args) : null;
      return withData(async ({ database }) => {
        if (rule) await database.transaction(orgId, (tx) => agreements.setPenalRule(tx, SYSTEM(orgId), rule));
        const rules = await database.read(orgId, agreements.penalRules);
        for (const one of rules) write(said(one));
        if (rules.length === 0) write('No rule was ever set: no penal charges are made.');
        return true;
      });
    },
  },
};
