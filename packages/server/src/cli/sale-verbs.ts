import {
  PLAN,
  PLAN_NAMES,
  PROVISIONING,
  PROVISIONING_NAMES,
  type PlanName,
  type ProvisioningType,
  planName,
} from '@kist/contract/codes';
import { EMI_FREQUENCIES, EMI_LIMITS, EMI_METHODS } from '@kist/contract/emi-limits';
import { lineNameSchema } from '@kist/contract/fields';
import { LIMITS } from '@kist/contract/limits';
import { formatInr, hundredthsOf } from '@kist/contract/money-text';
import * as catalogue from '#server/catalogue/catalogue.ts';
import * as identity from '#server/identity/identity.ts';
import { idOfName } from '#server/platform/ids.ts';
import * as wallet from '#server/wallet/wallet.ts';
import { UsageError } from './command.ts';
import { NOT_DELIVERED, told as warned, warningsOfKeys, warningsOfPlan } from './delivered.ts';
import { shopWith } from './people-verbs.ts';
import { type Given, type Verbs, nounOf } from './verbs.ts';

/** @throws UsageError naming the types there are */
export function planTypeOf(text: string | undefined): PlanName {
  const found = PLAN_NAMES.find((name) => name === text?.toUpperCase());
  if (!found) throw new UsageError(`a plan type is one of ${PLAN_NAMES.join(', ')}`);
  return found;
}

/** @throws UsageError */
function wayOf(text: string): ProvisioningType {
  const found = PROVISIONING_NAMES.find((name) => name === text.toUpperCase());
  if (!found) throw new UsageError(`--provisioning is one of ${PROVISIONING_NAMES.join(', ')}`);
  return PROVISIONING[found];
}

/** @throws UsageError */
export function countOf(name: string, text: string | undefined, max = 1_000_000, min = 1): number {
  const count = /^\d{1,9}$/.test(text ?? '') ? Number(text) : -1;
  if (count < min || count > max) throw new UsageError(`${name} is a whole number from ${min} to ${max}`);
  return count;
}

/** Dearer is no key. */
const RUPEES_MAX = 9_999_999_99;

/** Rupees as people write them, with two decimals at most, as paise. @throws UsageError */
export function paiseOf(text: string | undefined): number {
  const paise = hundredthsOf(text ?? '') ?? 0;
  if (paise < 1 || paise > RUPEES_MAX) throw new UsageError('RUPEES is an amount such as 99 or 99.50');
  return paise;
}

const planIdOf = (given: Given): number => countOf('PLAN', given.words['PLAN'], 2 ** 31 - 1);

const planVerbs: Verbs = {
  list: {
    says: 'every plan, and whether it is on sale here',
    takes: ['ORG'],
    example: 'kist plan list 21',
    async run({ database }, { orgId }) {
      const data = await database.read(orgId, async (tx) => {
        const onOffer = new Set((await catalogue.plansOnOffer(tx)).map(({ plan_id }) => plan_id));
        return (await catalogue.allPlans(tx)).map((plan) => ({
          ...plan,
          type: planName(plan.plan_type),
          is_on_sale: onOffer.has(plan.plan_id),
        }));
      });
      const told = (plan: (typeof data)[number]) =>
        plan.is_on_sale ? '' : plan.is_active ? NOT_DELIVERED : 'taken off sale';
      return {
        data,
        lines: data.map(
          (plan) =>
            `${String(plan.plan_id).padStart(6)}  ${(plan.type ?? '').padEnd(20)} ${plan.name.padEnd(28)} ${told(plan)}`,
        ),
      };
    },
  },
  add: {
    says: 'puts a plan on sale under a number of its own',
    takes: ['ORG', 'PLAN'],
    options: { type: { type: 'string' }, name: { type: 'string' }, provisioning: { type: 'string' } },
    teaches: {
      type: PLAN_NAMES.join(', '),
      name: 'as shops read it',
      provisioning: `how its phones are reached, where not as those of its type are: ${PROVISIONING_NAMES.join(', ')}`,
    },
    example: 'kist plan add 21 1 --type DPC --name "EMI Secure"',
    async run({ database }, given) {
      const plan_type = planTypeOf(given.need('type'));
      const way = given.text('provisioning');
      const plan = {
        plan_id: planIdOf(given),
        plan_type: PLAN[plan_type],
        name: nameOf(given.need('name')),
        ...(way !== undefined && { provisioning_type: wayOf(way) }),
      };
      const { change, warnings } = await database.transaction(given.orgId, async (tx) => ({
        change: await catalogue.offer(tx, identity.SYSTEM(given.orgId), plan),
        warnings: await warningsOfPlan(tx, plan.plan_id),
      }));
      return {
        data: { ...plan, change, warnings },
        lines: [`  ${change.padEnd(10)} plan ${plan.plan_id} (${plan_type})`, ...warned(warnings)],
      };
    },
  },
  edit: {
    says: 'renames a plan, or takes it off sale; what was sold under it stays',
    takes: ['ORG', 'PLAN'],
    options: { name: { type: 'string' }, sale: { type: 'string' }, 'app-type': { type: 'string' } },
    teaches: { name: 'as shops read it', sale: 'on or off', 'app-type': 'number that its app is asked for by' },
    example: 'kist plan edit 21 1 --sale off',
    async run({ database }, given) {
      const [sale, app, name] = [given.text('sale'), given.text('app-type'), given.text('name')];
      if (sale !== undefined && sale !== 'on' && sale !== 'off') throw new UsageError('--sale is on or off');
      const change = {
        plan_id: planIdOf(given),
        ...(name !== undefined && { name: nameOf(name) }),
        ...(sale !== undefined && { is_active: sale === 'on' }),
        ...(app !== undefined && { app_type: countOf('--app-type', app, 2 ** 31 - 1, 0) }),
      };
      const actor = identity.SYSTEM(given.orgId);
      const isChanged = await database.transaction(given.orgId, (tx) => catalogue.changePlan(tx, actor, change));
      return { data: { ...change, is_changed: isChanged }, lines: [isChanged ? '  changed' : '  unchanged'] };
    },
  },
};

/** What terms a plan offers, one press each at the counter. */
const presetVerbs: Verbs = {
  preset: {
    says: 'offers terms on a plan under a name, one press at the counter; the same name again changes them',
    takes: ['ORG', 'PLAN', 'NAME'],
    options: {
      method: { type: 'string' },
      frequency: { type: 'string' },
      tenure: { type: 'string' },
      down: { type: 'string' },
      rate: { type: 'string' },
      remove: { type: 'boolean' },
    },
    teaches: {
      method: `${EMI_METHODS.join(', ')} (FLAT)`,
      frequency: `${EMI_FREQUENCIES.join(', ')} (MONTHLY)`,
      tenure: 'how many EMIs',
      down: 'per cent of the price that is paid down (0)',
      rate: 'per cent a year; none with ZERO',
      remove: 'takes it away',
    },
    example: 'kist plan preset 21 1 "9 months" --tenure 9 --down 20 --rate 18.5',
    async run({ database }, given) {
      const key = { plan_id: planIdOf(given), name: nameOf(given.words['NAME'] ?? '') };
      const actor = identity.SYSTEM(given.orgId);
      const preset = given.isSet('remove') ? undefined : { ...key, ...termsOf(given) };
      const isChanged = await database.transaction(given.orgId, (tx) =>
        preset ? catalogue.setPreset(tx, actor, preset) : catalogue.removePreset(tx, actor, key),
      );
      return { data: { ...(preset ?? key), is_changed: isChanged }, lines: [isChanged ? '  changed' : '  unchanged'] };
    },
  },
  presets: {
    says: 'the terms that plans offer',
    takes: ['ORG'],
    example: 'kist plan presets 21',
    async run({ database }, { orgId }) {
      const data = await database.read(orgId, catalogue.presets);
      const lines = data.map(
        (one) =>
          `${String(one.plan_id).padStart(6)}  ${one.name.padEnd(24)} ${one.method} ${one.tenure} × ${one.frequency}, ${one.down_bps / 100} % down, ${one.rate_bps / 100} %`,
      );
      return { data, lines: lines.length > 0 ? lines : ['No presets.'] };
    },
  },
};

/** @throws UsageError */
function termsOf(given: Given) {
  const one = <const T extends string>(option: string, all: readonly T[], usual: T): T => {
    const said = given.text(option)?.toUpperCase() ?? usual;
    const found = all.find((name) => name === said);
    if (!found) throw new UsageError(`--${option} is one of ${all.join(', ')}`);
    return found;
  };
  const method = one('method', EMI_METHODS, 'FLAT');
  const frequency = one('frequency', EMI_FREQUENCIES, 'MONTHLY');
  if (method === 'ZERO' && given.text('rate') !== undefined) throw new UsageError('--rate: ZERO has no interest');
  return {
    method,
    frequency,
    tenure: countOf('--tenure', given.need('tenure'), EMI_LIMITS.tenureMax[frequency]),
    down_bps: given.text('down') === undefined ? 0 : bpsOf('--down', given.need('down'), DOWN_MAX_BPS),
    rate_bps: method === 'ZERO' ? 0 : bpsOf('--rate', given.need('rate'), EMI_LIMITS.rateMaxBps),
  };
}

/** Something is left to be financed. */
const DOWN_MAX_BPS = 9900;

/** Per cent with two decimals at most, as hundredths. @throws UsageError */
function bpsOf(name: string, text: string, max: number): number {
  const bps = hundredthsOf(text);
  if (bps === undefined || bps > max)
    throw new UsageError(`${name} is per cent from 0 to ${max / 100}, two decimals at most`);
  return bps;
}

/** @throws UsageError */
function nameOf(text: string): string {
  const name = lineNameSchema().safeParse(text);
  if (!name.success) throw new UsageError('--name has nothing to read, is too long, or cannot be shown');
  return name.data;
}

const priceVerbs: Verbs = {
  show: {
    says: 'what one key of each plan type costs',
    takes: ['ORG'],
    example: 'kist price show 21',
    async run({ database }, { orgId }) {
      const prices = [...(await database.read(orgId, catalogue.keyPrices))];
      const data = prices.map(([type, price_paise]) => ({ plan_type: planName(type) ?? '', price_paise }));
      const lines = data.map(({ plan_type, price_paise }) => `${plan_type.padEnd(20)} ${formatInr(price_paise)}`);
      return { data, lines: lines.length > 0 ? lines : ['No price is set: shops are told to ask their admin.'] };
    },
  },
  set: {
    says: 'what one key costs from now on; orders that were made keep their price',
    takes: ['ORG', 'TYPE', 'RUPEES'],
    example: 'kist price set 21 DPC 99.50',
    async run({ database }, { orgId, words }) {
      const plan_type = planTypeOf(words['TYPE']);
      const pricePaise = words['RUPEES'] === 'none' ? null : paiseOf(words['RUPEES']);
      const price = { planType: PLAN[plan_type], pricePaise };
      const isChanged = await database.transaction(orgId, (tx) =>
        catalogue.setKeyPrice(tx, identity.SYSTEM(orgId), price),
      );
      return {
        data: { plan_type, price_paise: pricePaise, is_changed: isChanged },
        lines: [isChanged ? '  changed' : '  unchanged'],
      };
    },
  },
};

/** What is done once under a name, however often it is typed. @throws UsageError */
function nameOfAct(given: Given): string {
  const id = given.need('id');
  if (!/^[\w.-]{1,60}$/.test(id)) throw new UsageError('--id is letters, digits, dots and hyphens, 60 at most');
  return id;
}

const keyVerbs: Verbs = {
  grant: {
    says: 'gives keys to a shop; those of one --id are given once, however often it is typed',
    takes: ['ORG', 'MOBILE', 'TYPE', 'COUNT'],
    options: { id: { type: 'string' }, paid: { type: 'boolean' } },
    teaches: {
      id: 'a name for this gift: letters, digits, dots, hyphens',
      paid: 'the shop has paid for them: they go to the paid ones',
    },
    example: 'kist keys grant 21 9000000101 DPC 25 --id diwali-2026',
    async run(desk, given) {
      const { orgId, words } = given;
      const id = nameOfAct(given);
      const plan_type = planTypeOf(words['TYPE']);
      const count = countOf('COUNT', words['COUNT']);
      return desk.openOperator().transaction(orgId, async (tx) => {
        const userId = await shopOf(tx, words['MOBILE'] ?? '');
        const effectKey = `grant:${userId}:${id}`;
        const lot = given.isSet('paid') ? 'paid' : 'granted';
        const isGiven = await wallet.credit(tx, { userId, planType: PLAN[plan_type], lot, count, effectKey });
        const keys = isGiven ? count : await wallet.creditedBy(tx, effectKey);
        const change = isGiven ? 'given' : 'given before';
        const warnings = await warningsOfKeys(tx, plan_type);
        return {
          data: { user_id: userId, plan_type, keys, change, warnings },
          lines: [`  ${change.padEnd(13)} ${keys} keys ${plan_type}`, ...warned(warnings)],
        };
      });
    },
  },
  back: {
    says: 'keys that a mini-retailer has not used go back to its retailer, never more than that one passed to it; those of one --id once, however often it is typed',
    takes: ['ORG', 'MOBILE', 'TYPE', 'COUNT'],
    options: { id: { type: 'string' } },
    teaches: { id: 'a name for this: letters, digits, dots, hyphens' },
    example: 'kist keys back 21 9000000102 DPC 5 --id shop-closed',
    async run({ database }, given) {
      const { orgId, words } = given;
      const id = nameOfAct(given);
      const plan_type = planTypeOf(words['TYPE']);
      const keys = countOf('COUNT', words['COUNT'], LIMITS.transferKeys);
      return database.transaction(orgId, async (tx) => {
        const user_id = await shopWith(tx, orgId, words['MOBILE']);
        const transfer_id = idOfName(`keys back ${orgId} ${user_id} ${id}`);
        const asked = { from_user_id: user_id, plan_type: PLAN[plan_type], keys, transfer_id };
        const { left, is_new } = await wallet.takeBackKeys(tx, identity.SYSTEM(orgId), asked);
        const change = is_new ? 'taken' : 'taken before';
        return {
          data: { user_id, plan_type, keys, left, change },
          lines: [`  ${change.padEnd(13)} ${keys} keys ${plan_type}, left ${left}`],
        };
      });
    },
  },
  show: {
    says: 'the keys of a shop',
    takes: ['ORG', 'MOBILE'],
    example: 'kist keys show 21 9000000101',
    async run({ database }, { orgId, words }) {
      const rows = await database.read(orgId, async (tx) => wallet.keysOf(tx, await shopOf(tx, words['MOBILE'] ?? '')));
      const data = rows.map((row) => ({ ...row, plan_type: planName(row.plan_type) ?? '' }));
      const lines = data.map(
        (row) =>
          `${row.plan_type.padEnd(20)} ${String(row.paid).padStart(8)} paid ${String(row.granted).padStart(8)} granted ${String(row.reserved).padStart(8)} set aside`,
      );
      return { data, lines: lines.length > 0 ? lines : ['No keys.'] };
    },
  },
};

/** Who sells under a mobile number, with or without +91. @throws UsageError */
export async function shopOf(tx: Parameters<typeof identity.shopsByMobile>[0], text: string): Promise<string> {
  const mobile = text.startsWith('+91') ? text : `+91${text}`;
  const userId = (await identity.shopsByMobile(tx, [mobile])).get(mobile);
  if (userId === undefined) throw new UsageError(`no active shop signs in with ${text}: kist retailer list`);
  return userId;
}

/** What an organisation sells, for what, and the keys for it. */
export const saleCommands = {
  ...nounOf('plan', 'the plans on sale', { ...planVerbs, ...presetVerbs }),
  ...nounOf('price', 'what a key costs', priceVerbs),
  ...nounOf('keys', 'the keys of shops', keyVerbs),
};
