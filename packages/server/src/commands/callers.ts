import type { KeyHolder, Named, ProvenPhone } from './adapter.ts';

export const isHolder = (caller: ProvenPhone | Named): caller is KeyHolder => 'keySha256' in caller;

/** One name for each, the enrolment's or the key's. */
export const nameOf = (caller: ProvenPhone | Named): string =>
  `${caller.orgId}.${isHolder(caller) ? caller.keySha256 : caller.enrolmentId}`;

/** How statements are told of somebody: columns `org_id`, `enrolment_id` and `key_sha256`, of which one of the last two is null. */
export const namedAs = (caller: ProvenPhone | Named) => ({
  org_id: caller.orgId,
  enrolment_id: isHolder(caller) ? null : caller.enrolmentId,
  key_sha256: isHolder(caller) ? `\\x${caller.keySha256}` : null,
});

/**
 * The live enrolment of a row that has those columns, by whichever of the two it has.
 * @param row alias of the row @param columns of the enrolment `c`
 */
export const liveChannelSql = (row: string, columns: string): string => `lateral (
    select ${columns} from enrolments c where c.org_id = ${row}.org_id and c.enrolment_id = ${row}.enrolment_id and c.ended_at is null
    union all
    select ${columns} from enrolments c where c.org_id = ${row}.org_id and c.key_sha256 = ${row}.key_sha256 and c.ended_at is null)`;

/** The same of one that ended when its phone's next one took its place. A key that had several such speaks for its last. */
export const earlierChannelSql = (row: string, columns: string): string => `lateral (
    select ${columns} from enrolments c where c.org_id = ${row}.org_id and c.enrolment_id = ${row}.enrolment_id and c.ended_at is not null and c.replaced_by is not null
    union all
    (select ${columns} from enrolments c where c.org_id = ${row}.org_id and c.key_sha256 = ${row}.key_sha256 and c.ended_at is not null and c.replaced_by is not null
    order by c.ended_at desc limit 1))`;
