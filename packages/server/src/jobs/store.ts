import { bool, date, int4, jsonb, text } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

export const finishedSteps = statement({
  name: 'jobs.finished_steps',
  takes: { business_on: date },
  gives: { step: text },
  text: 'select step from daily_steps where org_id = $1 and business_on = $business_on',
});

/** On whatever day it was. */
export const isStepFinished = statement({
  name: 'jobs.is_step_finished',
  takes: { step: text },
  gives: { is_finished: bool },
  text: 'select exists (select from daily_steps where org_id = $1 and step = $step) as is_finished',
});

/** Notes that a step of a day is done; the first result stays. */
export const finishStep = statement({
  name: 'jobs.finish_step',
  takes: { business_on: date, step: text, result: jsonb<object>() },
  text: `
    insert into daily_steps (org_id, business_on, step, finished_at, result) values ($1, $business_on, $step, kist_now(), $result)
    on conflict do nothing`,
});

/** Notices that the gateway took in the last minute and that nobody has heard of since. */
export const waitingReceipts = statement({
  name: 'jobs.waiting_receipts',
  gives: { count: int4 },
  text: `
    select count(*)::int as count from notices_view
    where org_id = $1 and kind = 'notice' and channel = 'sms' and sent_at > kist_now() - interval '1 minute' and delivered_at is null and failed_at is null`,
});
