import { int4 } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** Deletes a slice of old verdicts that changed nothing; migration 0222 keeps the others from anybody. */
export const forgetVerdicts = statement({
  name: 'locking.forget_verdicts',
  takes: { days: int4, slice: int4 },
  isPlannedEachTime: true,
  text: `
    delete from verdicts where org_id = $1 and verdict_id in (
      select v.verdict_id from verdicts v where v.org_id = $1 and v.revision is null and v.decided_at < kist_now() - make_interval(days => $days)
        and not exists (select from locks l where l.org_id = v.org_id and l.device_id = v.device_id and l.verdict_id = v.verdict_id)
        and not exists (select from restrictions x where x.org_id = v.org_id and x.device_id = v.device_id and x.verdict_id = v.verdict_id)
      order by v.decided_at limit $slice)`,
});
