import { PLAN } from '@kist/contract/codes';
import { POLICY_PRESETS, type LockPreset } from '@kist/contract/lock-policy';
import * as catalogue from '#server/catalogue/catalogue.ts';
import * as identity from '#server/identity/identity.ts';
import { policyInForce, setPolicy } from '#server/locking/policies.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Tx } from '#server/platform/database.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { type Answers, PLAN_NAME } from './setup-answers.ts';

type Change = 'created' | 'changed' | 'unchanged';
/** What became of one thing that was declared. */
export interface Outcome {
  what: string;
  change: Change | 'given' | 'given before' | 'kept';
}

/**
 * Makes the organisation what the answers say, in the caller's transaction, as kist_operator. Doing it again changes nothing and gives no key twice; of what
 * exists already, what is not said stays as it was set.
 */
export async function applyAnswers(tx: Tx, answers: Answers): Promise<Outcome[]> {
  const { organisation: org, admin, retailers, plans, lock_policy } = answers;
  const actor = identity.SYSTEM(org.org_id);
  const outcomes: Outcome[] = [];
  const note = (what: string, change: Outcome['change']) => outcomes.push({ what, change });
  const established = await organisations.establish(tx, actor, {
    slug: org.slug,
    host: org.host,
    org_name: org.name,
    company_name: org.company_name,
    parent_company_name: org.parent_company_name,
    ai_name: org.ai_name,
    theme: defined(org.theme),
    support: defined(org.support),
    privacy_policy: defined({ contact: org.privacy_contact }),
    ...(org.audit_emails && { audit_emails: org.audit_emails }),
  });
  note(`organisation ${org.org_id} (${org.slug})`, established);
  if (established !== 'created') for (const what of unsaidOf(org)) note(what, 'kept');
  const standing = await catalogue.allPlans(tx);
  for (const { plan_id, plan_type, name } of plans) {
    const before = standing.find((plan) => plan.plan_id === plan_id);
    const isKept = name === undefined && before?.plan_type === PLAN[plan_type];
    const called = isKept ? `, ${before.name}` : '';
    const offered = { plan_id, plan_type: PLAN[plan_type], name: name ?? PLAN_NAME };
    note(`plan ${plan_id} (${plan_type})${called}`, isKept ? 'kept' : await catalogue.offer(tx, actor, offered));
  }
  if (lock_policy !== undefined) note(`lock policy ${lock_policy}`, await choosePolicy(tx, lock_policy));
  else note(`lock policy ${(await policyInForce(tx)).preset}`, established === 'created' ? 'unchanged' : 'kept');
  if (admin) {
    const person = {
      user_type: 'admin' as const,
      mobile: admin.mobile,
      first_name: admin.first_name,
      last_name: admin.last_name ?? null,
    };
    note('administrator', (await identity.ensureStaff(tx, actor, { ...person, shop_name: '', upi_id: null })).change);
  }
  for (const retailer of retailers) outcomes.push(...(await applyRetailer(tx, retailer)));
  return outcomes;
}

/** What an organisation may be told of itself, and was not. */
function unsaidOf({ host, company_name, parent_company_name, ai_name, theme }: Answers['organisation']): string[] {
  const told = { host, company_name, parent_company_name, ai_name, 'theme.accent': theme.accent };
  const left = Object.entries(told).flatMap(([name, value]) => (value === undefined ? [name] : []));
  return left.length > 0 ? [`what is set of ${left.join(', ')}: nothing was said of it`] : [];
}

async function applyRetailer(tx: Tx, retailer: Answers['retailers'][number]): Promise<Outcome[]> {
  const { user_id: userId, change } = await identity.ensureStaff(tx, identity.SYSTEM(tx.orgId ?? 0), {
    user_type: 'retailer',
    mobile: retailer.mobile,
    first_name: retailer.first_name,
    last_name: retailer.last_name ?? null,
    shop_name: retailer.shop_name,
    upi_id: retailer.upi_id ?? null,
  });
  const outcomes: Outcome[] = [{ what: `retailer ${retailer.shop_name}`, change }];
  for (const { id, plan_type, count, lot } of retailer.keys) {
    const effectKey = `setup:${userId}:${id}`;
    const isGiven = await wallet.credit(tx, { userId, planType: PLAN[plan_type], lot, count, effectKey });
    const given = isGiven ? count : await wallet.creditedBy(tx, effectKey);
    const hint = given === count ? '' : `; the ${count} of now need an id of their own`;
    outcomes.push({
      what: `${given} keys ${plan_type} (${id}) of ${retailer.shop_name}${hint}`,
      change: isGiven ? 'given' : 'given before',
    });
  }
  return outcomes;
}

/** Agreements keep the policy they were signed under; one more version of the same policy would only make their history longer. */
export async function choosePolicy(tx: Tx, preset: LockPreset): Promise<Change> {
  const { version: _, ...wanted } = POLICY_PRESETS[preset];
  if ((await policyInForce(tx)).preset === preset) return 'unchanged';
  await setPolicy(tx, identity.SYSTEM(tx.orgId ?? 0), wanted);
  return 'changed';
}

const defined = (values: Record<string, string | undefined>): Record<string, string> =>
  Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => entry[1] !== undefined));
