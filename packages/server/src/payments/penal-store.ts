import type { IsoDate } from '@kist/contract/dates';
import { date, int8, jsonb, nullable, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** As an organisation's administrator set it; null: it makes no penal charges. */
export interface PenalSetting {
  charge_paise: number;
  grace_days: number;
  every_days: number;
  /** Only agreements delivered from this day on: a charge is disclosed before signing. */
  since_on: IsoDate;
}

export const readPenalSetting = statement({
  name: 'payments.penal_setting',
  gives: { penal: nullable(jsonb<PenalSetting>()) },
  text: 'select penal from organisations where org_id = $1',
});

/** Agreements with something overdue on a day, in the order of their ids, after one of them. */
export const overdueAgreements = statement({
  name: 'payments.overdue_agreements',
  takes: { on: date, since_on: date, after: nullable(uuid), limit: int8 },
  gives: { agreement_id: uuid },
  text: `
    select agreement_id from agreements
    where org_id = $1 and state = 'active' and oldest_due_on < $on and delivered_on >= $since_on
      and ($after is null or agreement_id > $after)
    order by agreement_id limit $limit`,
});
