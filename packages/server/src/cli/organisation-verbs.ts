import { isDeepStrictEqual } from 'node:util';
import {
  INACTIVE_WARNING_ORGS,
  PLAN,
  PROVISIONING,
  type PlanName,
  type ProvisioningType,
  provisioningName,
} from '@kist/contract/codes';
import { type LockPolicy, type LockPreset, POLICY_PRESETS } from '@kist/contract/lock-policy';
import { type OrganisationOfFile, organisationFileSchema } from '@kist/contract/organisation-file';
import { sharedHostProblem } from '@kist/contract/own-host';
import * as catalogue from '#server/catalogue/catalogue.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import { policyInForce } from '#server/locking/policies.ts';
import * as organisations from '#server/organisations/organisations.ts';
import type { Tx } from '#server/platform/database.ts';
import { UsageError } from './command.ts';
import { logoVerbs } from './logo-verb.ts';
import { bytesOf, jsonOf } from './named-file.ts';
import { providerVerb } from './provider-verb.ts';
import { choosePolicy } from './setup-organisation.ts';
import { type Desk, type Given, type Outcome, type Verbs, explain, nounOf } from './verbs.ts';
import { complaint, said as wordsFor } from './words.ts';

const LIST_OF = { type: 'string', multiple: true } as const;
const WORDS = {
  slug: { type: 'string' },
  host: { type: 'string' },
  name: { type: 'string' },
  company: { type: 'string' },
  parent: { type: 'string' },
  'ai-name': { type: 'string' },
  'ai-agent': { type: 'string' },
  accent: { type: 'string' },
  'support-phone': { type: 'string' },
  'support-email': { type: 'string' },
  'audit-email': LIST_OF,
  'privacy-contact': { type: 'string' },
  'privacy-file': { type: 'string' },
  layout: { type: 'string' },
  'antihacking-layout': { type: 'string' },
  language: LIST_OF,
  'witness-signature': { type: 'string' },
  'payment-gateway': { type: 'string' },
  'payment-url': { type: 'string' },
  special: { type: 'string' },
  features: LIST_OF,
} as const;
const TEACHES = {
  slug: 'short name, by which an address asks for it: small letters, digits, hyphens',
  host: 'host name under which it is served alone (emi.example.in); "" for none',
  name: 'what its shops and their customers read',
  company: 'as it stands on receipts and agreements',
  parent: 'the company above it',
  'ai-name': 'what the app calls itself; without it the name',
  'ai-agent': 'id of its assistant',
  accent: 'its colour, #rrggbb',
  'support-phone': 'whom shops call',
  'support-email': 'whom shops write to',
  'audit-email': 'to whom the daily root of the audit is mailed, said once for each; "" for nobody',
  'privacy-contact': 'who answers for privacy',
  'privacy-file':
    'its privacy policy in English, a text file of UTF-8, an empty one for none; other languages by `kist privacy set`',
  layout: 'classic or compact',
  'antihacking-layout': 'classic or steps',
  language: 'one that it speaks (hn, mr, …), said once for each; English is always there',
  'witness-signature': 'on or off: a second person signs',
  'payment-gateway': 'on or off: customers are offered the page of --payment-url',
  'payment-url': 'its own page on which customers pay, https://…; "" for none',
  special: 'on or off: on the list of 13',
  features:
    'all that its shops may ask of one type of phone: DPC=lock,unlock,…, said once for each; DPC= for what everyone may',
};

/** One that is not said stays undefined. @throws UsageError */
function flag(given: Given, name: string): boolean | undefined {
  const value = given.text(name);
  if (value === undefined) return undefined;
  if (value !== 'on' && value !== 'off') throw new UsageError(`--${name} is on or off`);
  return value === 'on';
}

/** Lists by type of phone; an empty one is to go. @throws UsageError */
function featuresOf(given: Given): Record<string, string[] | undefined> | undefined {
  const said = given.texts('features').map((text) => {
    const [, type = '', list = ''] = /^([A-Z]+)=([a-z_,]*)$/.exec(text) ?? [];
    if (!type) throw new UsageError('--features is TYPE=feature,feature, or TYPE= for what everyone may');
    return [type, list ? list.split(',') : undefined] as const;
  });
  return said.length > 0 ? Object.fromEntries(said) : undefined;
}

/** What the options say, in the words of a file of organisations; what is not said is not there. */
function saidOf(given: Given): Record<string, unknown> {
  const file = given.text('privacy-file');
  const host = given.text('host');
  const emails = given.texts('audit-email');
  const said = {
    slug: given.text('slug'),
    host: host === '' ? null : host,
    name: given.text('name'),
    company_name: given.text('company'),
    parent_company_name: given.text('parent'),
    ai_name: given.text('ai-name'),
    ai_agent_id: given.text('ai-agent'),
    theme: some({ accent: given.text('accent') }),
    support: some({ phone: given.text('support-phone'), email: given.text('support-email') }),
    audit_emails: emails.length > 0 ? emails.filter((one) => one !== '') : undefined,
    privacy_contact: given.text('privacy-contact'),
    privacy_text: file === undefined ? undefined : bytesOf(file).toString('utf8'),
    layout: given.text('layout'),
    antihacking_layout: given.text('antihacking-layout'),
    languages: given.texts('language').length > 0 ? given.texts('language') : undefined,
    flags: some({
      witness_signature_layout: flag(given, 'witness-signature'),
      payment_gateway: flag(given, 'payment-gateway'),
    }),
    payment_url: given.text('payment-url'),
    is_special: flag(given, 'special'),
    allowed_features: featuresOf(given),
  };
  return Object.fromEntries(Object.entries(said).filter(([, value]) => value !== undefined));
}

const some = (values: Record<string, unknown>): Record<string, unknown> | undefined => {
  const entries = Object.entries(values).filter(([, value]) => value !== undefined);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
};

/** @throws UsageError naming every place that is wrong */
function fileOf(value: unknown, known: readonly Named[], { settings }: Desk): OrganisationOfFile[] {
  const read = organisationFileSchema.safeParse(value);
  if (!read.success) throw unusable(read.error.issues.map((issue) => complaint(issue)));
  const others = known.filter(({ org_id }) => !read.data.some((one) => one.org_id === org_id));
  const problems = read.data.flatMap(({ org_id, slug, host, name }, index) => {
    // One that has it from before is changed in other things as it was.
    const before = known.find((one) => one.org_id === org_id);
    const problem =
      host && before?.host !== host ? sharedHostProblem(host, new URL(settings.publicUrl).hostname) : undefined;
    const namesake = before?.name === name ? undefined : others.find((one) => isSameName(one.name, name));
    // Alone it is the directory's to refuse, which holds it.
    const isSlugTaken = namesake && others.some((one) => one.slug === slug);
    return [
      ...(isSlugTaken ? [`${index}.slug: another organisation has this short name`] : []),
      ...(problem === undefined ? [] : [`${index}.host: ${wordsFor(problem)}`]),
      ...(namesake ? [`${index}.name: organisation ${namesake.org_id} is called so, and is found by it`] : []),
    ];
  });
  if (problems.length > 0) throw unusable(problems);
  return read.data;
}
type Named = Awaited<ReturnType<typeof organisations.list>>[number];

const isSameName = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

const unusable = (problems: readonly string[]): UsageError =>
  new UsageError(`This cannot be used:\n${problems.map((line) => `- ${line}`).join('\n')}`);

type Change = 'created' | 'changed' | 'unchanged';

async function apply(tx: Tx, file: OrganisationOfFile): Promise<Change> {
  const actor = SYSTEM(file.org_id);
  const changes: Change[] = [await organisations.establish(tx, actor, organisations.declaredOf(file))];
  if (file.privacy_text !== undefined) {
    const policy = { language: 'en', text: file.privacy_text } as const;
    changes.push((await organisations.setPrivacyPolicy(tx, actor, policy)).is_new ? 'changed' : 'unchanged');
  }
  const standing = file.plans.length > 0 ? await catalogue.allPlans(tx) : [];
  for (const { plan_id, plan_type, name, app_type, provisioning } of file.plans) {
    const before = standing.find((plan) => plan.plan_id === plan_id && plan.plan_type === PLAN[plan_type]);
    const standingWay = before?.provisioning_type as ProvisioningType | null | undefined;
    const provisioning_type = provisioning ? PROVISIONING[provisioning] : standingWay;
    changes.push(
      await catalogue.offer(tx, actor, {
        plan_id,
        plan_type: PLAN[plan_type],
        name,
        provisioning_type,
      }),
    );
    if (app_type !== undefined)
      changes.push((await catalogue.changePlan(tx, actor, { plan_id, app_type })) ? 'changed' : 'unchanged');
  }
  for (const [plan, pricePaise] of Object.entries(file.prices_paise)) {
    const isSet = await catalogue.setKeyPrice(tx, actor, { planType: PLAN[plan as PlanName], pricePaise });
    changes.push(isSet ? 'changed' : 'unchanged');
  }
  if (file.lock_policy) changes.push(await choosePolicy(tx, file.lock_policy));
  if (changes[0] === 'created') return 'created';
  return changes.some((change) => change !== 'unchanged') ? 'changed' : 'unchanged';
}

/** As the file of organisations has it, so that what is listed here is imported elsewhere; the file has no place for presets, pictures and a policy of one's own. */
async function described(tx: Tx) {
  const { org_id, org_name, privacy_policy, theme, host, ...row } = await organisations.chosen(tx);
  const plans = await catalogue.allPlans(tx);
  const names = Object.entries(PLAN) as [PlanName, number][];
  const nameOf = (type: number) => names.find(([, number]) => number === type)?.[0] ?? '';
  const prices = await catalogue.keyPrices(tx);
  const policy = await organisations.privacyPolicy(tx, { language: 'en' });
  return {
    org_id,
    name: org_name,
    ...row,
    // Some were taken in other letters once; they are asked for in any.
    host: host?.toLowerCase() ?? null,
    theme: { ...(theme.accent && { accent: theme.accent }) },
    ...some({ privacy_contact: privacy_policy.contact, privacy_text: policy.text ?? undefined }),
    plans: plans
      .filter((plan) => plan.is_active)
      .map(({ plan_id, plan_type, name, app_type, provisioning_type }) => ({
        plan_id,
        plan_type: nameOf(plan_type),
        name,
        ...(app_type !== null && { app_type }),
        ...(provisioning_type !== null && { provisioning: provisioningName(provisioning_type) }),
      })),
    prices_paise: Object.fromEntries([...prices].map(([type, paise]) => [nameOf(type), paise])),
    lock_policy: presetOf(await policyInForce(tx)),
  };
}

/** @returns the preset that a policy is, word for word; undefined for one of the organisation's own making */
function presetOf(policy: LockPolicy): LockPreset | undefined {
  const { preset, version } = policy;
  return isDeepStrictEqual(policy, { ...POLICY_PRESETS[preset], version }) ? preset : undefined;
}

async function importFile(desk: Desk, given: Given): Promise<Outcome> {
  const { FILE = '-' } = given.words;
  const all = fileOf(jsonOf(FILE), await desk.database.unscoped(organisations.list), desk);
  const operator = desk.openOperator();
  const data: { org_id: number; slug: string; change: Change | 'read' }[] = [];
  for (const file of all) {
    const change = given.isSet('dry-run')
      ? 'read'
      : await operator
          .transaction(file.org_id, (tx) => apply(tx, file))
          .catch((error: unknown) => explain(error, doneBefore(file.org_id, data)));
    data.push({ org_id: file.org_id, slug: file.slug, change });
  }
  return { data, lines: data.map(({ org_id, slug, change }) => `  ${change.padEnd(10)} ${org_id} ${slug}`) };
}

/** Each organisation of a file is a transaction of its own: what stands before one that is refused is in. */
function doneBefore(orgId: number, done: readonly { org_id: number }[]): string {
  const before = done.map(({ org_id }) => org_id).join(', ');
  return `It is organisation ${orgId} of the file; ${before ? `those before it are in (${before}), and may be imported again` : 'nothing was changed'}.`;
}

async function edit(desk: Desk, given: Given, isNew: boolean): Promise<Outcome> {
  const { orgId } = given;
  const operator = desk.openOperator();
  const known = await desk.database.unscoped(organisations.list);
  const isKnown = known.some(({ org_id }) => org_id === orgId);
  if (isNew && isKnown) throw new UsageError(`Organisation ${orgId} is there already: kist org edit ${orgId} …`);
  if (isNew) for (const option of ['slug', 'name']) given.need(option);
  const said = saidOf(given);
  const change = await operator.transaction(orgId, async (tx) => {
    const before = isNew ? {} : forEdit(await described(tx));
    const [file] = fileOf([{ ...before, ...said, ...merged(before, said), org_id: orgId }], known, desk);
    return apply(tx, file!);
  });
  return { data: { org_id: orgId, change }, lines: [`  ${change.padEnd(10)} ${orgId}`] };
}

/** Plans, prices and policies have verbs of their own; what stands of them is left alone. */
const forEdit = ({
  plans: _plans,
  prices_paise: _prices,
  lock_policy: _policy,
  ...row
}: Awaited<ReturnType<typeof described>>) => row;

const merged = (before: object, said: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    (['theme', 'support', 'flags', 'allowed_features'] as const)
      .filter((name) => name in said)
      .map((name) => [name, some({ ...(before as Record<string, object>)[name], ...(said[name] as object) }) ?? {}]),
  );

async function list(desk: Desk): Promise<Outcome> {
  const rows = await desk.database.unscoped(organisations.list);
  const data = [];
  // One that only stands in the directory was begun and never made.
  for (const { org_id, slug, name } of rows)
    data.push(await desk.database.read(org_id, described).catch(() => ({ org_id, slug, name, is_unfinished: true })));
  const marks = (org: (typeof rows)[number]) =>
    [org.is_special && 'special', (INACTIVE_WARNING_ORGS as readonly number[]).includes(org.org_id) && 'warns']
      .filter(Boolean)
      .join(', ');
  return {
    data,
    lines: rows.map((org) =>
      [String(org.org_id).padStart(6), org.slug.padEnd(24), org.name.padEnd(28), org.host ?? '', marks(org)]
        .join('  ')
        .trimEnd(),
    ),
  };
}

/** The id behind a name or a short name. */
async function find(desk: Desk, given: Given): Promise<Outcome> {
  const name = (given.words['NAME'] ?? '').trim().toLowerCase();
  const rows = await desk.database.unscoped(organisations.list);
  const found = rows.filter((org) => [org.name.toLowerCase(), org.slug, String(org.org_id)].includes(name));
  return {
    data: found,
    lines:
      found.length > 0 ? found.map(({ org_id, slug }) => `${org_id} ${slug}`) : [`No organisation is called ${name}.`],
    isInOrder: found.length > 0,
  };
}

const organisationVerbs: Verbs = {
  list: {
    says: 'every organisation; with --json as a file that import reads',
    takes: [],
    example: 'kist org list --json > organisations.json',
    run: list,
  },
  find: {
    says: 'the number of an organisation, by its name or short name',
    takes: ['NAME'],
    example: 'kist org find "Sunita Mobile"',
    run: find,
  },
  import: {
    says: 'makes every organisation of a file what the file says ("-": standard input); what it leaves out stays as it is, and a second time changes nothing',
    takes: ['FILE'],
    options: { 'dry-run': { type: 'boolean' } },
    teaches: { 'dry-run': 'reads the file and changes nothing' },
    example: 'kist org import organisations.json --dry-run',
    run: importFile,
  },
  add: {
    says: 'one new organisation; people, plans and keys follow by retailer, plan and keys',
    takes: ['ORG'],
    options: WORDS,
    teaches: TEACHES,
    example: 'kist org add 21 --slug asha --name "Asha Mobiles" --accent "#1f6f54" --layout compact',
    isNew: true,
    run: (desk, given) => edit(desk, given, true),
  },
  edit: {
    says: 'changes what is said here and leaves the rest',
    takes: ['ORG'],
    options: WORDS,
    teaches: TEACHES,
    example: 'kist org edit 21 --host emi.example.in --language hn --language mr',
    run: (desk, given) => edit(desk, given, false),
  },
  ...logoVerbs,
  oidc: providerVerb,
};

export const organisationCommands = nounOf('org', 'the organisations of this installation', organisationVerbs);
