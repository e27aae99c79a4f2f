import type { Paise } from '@kist/contract/money';
import { as, int4, int8, known, nullable, text, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

const paise = as<Paise>()(int8);
const ASKED = {
  waiver_id: uuid,
  agreement_id: uuid,
  charge_id: uuid,
  amount_paise: paise,
  reason: text,
  /** What one person could waive alone. */
  limit_paise: paise,
  state: as<'asked' | 'granted' | 'refused'>()(text),
  asked_by: uuid,
  decided_by: nullable(uuid),
};

/** One that is granted at once is decided by who asked. */
export const insertWaiver = statement({
  name: 'payments.insert_waiver',
  takes: ASKED,
  text: `
    insert into waivers (org_id, asked_at, decided_at, ${Object.keys(ASKED).join(', ')})
    values ($1, kist_now(), case when $state = 'asked' then null else kist_now() end, ${Object.keys(ASKED)
      .map((name) => `$${name}`)
      .join(', ')})`,
});

export const findWaiver = statement({
  name: 'payments.find_waiver',
  takes: { waiver_id: uuid },
  gives: ASKED,
  text: `select ${Object.keys(ASKED).join(', ')} from waivers where org_id = $1 and waiver_id = $waiver_id`,
});

/** The one that waits for a second person. */
export const askedWaiver = statement({
  name: 'payments.asked_waiver',
  takes: { charge_id: uuid },
  gives: { waiver_id: uuid },
  text: `select waiver_id from waivers where org_id = $1 and charge_id = $charge_id and state = 'asked'`,
});

/** How many of an agreement's stand. */
export const countGranted = statement({
  name: 'payments.count_granted_waivers',
  takes: { agreement_id: uuid },
  gives: { waivers: known(int4) },
  text: `select count(*)::integer as waivers from waivers where org_id = $1 and agreement_id = $agreement_id and state = 'granted'`,
});

/** Why a late fee was waived, or was not: the words go, that there were some stays. */
export const forgetWords = statement({
  name: 'payments.forget_words_of_waivers',
  takes: { customer_id: uuid },
  text: `
    update waivers w set reason = '—', refusal_note = case when w.refusal_note is not null then '—' end from agreements_view a
    where w.org_id = $1 and a.org_id = $1 and a.customer_id = $customer_id and w.agreement_id = a.agreement_id`,
});

export const decideWaiver = statement({
  name: 'payments.decide_waiver',
  takes: {
    waiver_id: uuid,
    state: ASKED.state,
    decided_by: uuid,
    /** Why not, in their words. */
    refusal_note: nullable(text),
  },
  text: `
    update waivers set state = $state, decided_by = $decided_by, decided_at = kist_now(), refusal_note = $refusal_note
    where org_id = $1 and waiver_id = $waiver_id`,
});
