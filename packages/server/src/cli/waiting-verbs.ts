import { KistError } from '@kist/contract/errors';
import { refusalNoteSchema } from '@kist/contract/fields';
import { LIMITS } from '@kist/contract/limits';
import type { Waiting } from '@kist/contract/waiting';
import * as identity from '#server/identity/identity.ts';
import type { Actor } from '#server/identity/identity.ts';
import * as locking from '#server/locking/locking.ts';
import type { Tx } from '#server/platform/database.ts';
import { UsageError } from './command.ts';
import { idOf } from './dispute-verbs.ts';
import { mobileOf } from './people-verbs.ts';
import { type Desk, type Given, type Outcome, type Verb, type Verbs, nounOf } from './verbs.ts';
import { withLocking } from './with-locking.ts';

/** All that waits of one kind, with the pages behind one another. */
async function allOf(tx: Tx, orgId: number, kind: Waiting['kind']) {
  const all = [];
  for (let page = 1; ; page += 1) {
    const paging = { page, page_size: LIMITS.pageSizeMax };
    const { list, total } = await locking.whatWaits(tx, identity.SYSTEM(orgId), paging);
    all.push(...list);
    if (list.length === 0 || all.length >= total) return all.filter((one) => one.kind === kind);
  }
}

const said = ({ id, reason, note, asked_by, shop, phones, ends_at }: Waiting): string =>
  // On one line each: the words' own line feeds could be read as another entry.
  [
    id,
    `${phones} phones of ${shop}`,
    `${asked_by}: ${note.replaceAll(/\s+/g, ' ') || (reason ?? '')}`,
    `until ${ends_at ?? 'decided'}`,
  ].join('  ');

/**
 * Whoever answers is a person who works there: the server itself is nobody's second person, and who asked is none either.
 * @throws UsageError for a number that nobody signs in with now
 */
async function personOf(tx: Tx, given: Given): Promise<Actor> {
  const mobile = mobileOf(given.need('as'));
  const actor = await identity.actorOfMobile(tx, mobile);
  if (!actor) throw new UsageError(`nobody signs in with ${mobile} now`);
  return actor;
}

const listing = (kind: Waiting['kind'], says: string): Verb => ({
  says,
  takes: ['ORG'],
  example: `kist ${kind} list 20`,
  async run({ database }, { orgId }) {
    const data = await database.read(orgId, (tx) => allOf(tx, orgId, kind));
    return { data, lines: data.length > 0 ? data.map(said) : ['Nothing waits for a second person.'] };
  },
});

type Decide = (
  one: locking.Locking,
  tx: Tx,
  actor: Actor,
  given: { id: string; isAgreed: boolean; note?: string },
) => Promise<object>;

const deciding = (kind: Waiting['kind'], says: string, decide: Decide): Verb => ({
  says,
  takes: ['ORG', kind === 'override' ? 'ASK' : 'BATCH'],
  options: { agree: { type: 'string' }, as: { type: 'string' }, note: { type: 'string' } },
  teaches: {
    agree: 'yes or no',
    as: 'mobile number of the person who says so: an administrator, or a retailer above who asked; never who asked',
    note: 'why not, for who asked to read: with a no, and only if there is something to say',
  },
  example: `kist ${kind} decide 20 01890a5d-ac96-774b-bcce-b302099a8057 --agree no --as 9800000001`,
  run: (desk, given) => answered(desk, given, kind === 'override' ? 'ASK' : 'BATCH', decide),
});

/** @throws UsageError for words with a yes, and for too few or too many */
function noteOf(given: Given, agree: 'yes' | 'no'): string | undefined {
  const read = refusalNoteSchema.safeParse(given.text('note'));
  if (!read.success)
    throw new UsageError(`--note is ${LIMITS.reasonLengthMin} to ${LIMITS.refusalNoteLength} characters`);
  if (read.data !== undefined && agree === 'yes') throw new UsageError('--note goes with --agree no');
  return read.data;
}

async function answered(desk: Desk, given: Given, word: string, decide: Decide): Promise<Outcome> {
  const agree = given.need('agree');
  if (agree !== 'yes' && agree !== 'no') throw new UsageError('--agree is yes or no');
  const note = noteOf(given, agree);
  const asked = { id: idOf(given, word), isAgreed: agree === 'yes', ...(note !== undefined && { note }) };
  return withLocking(desk, async (one) => {
    const data = await desk.database.transaction(given.orgId, async (tx) =>
      decide(one, tx, await personOf(tx, given), asked),
    );
    // The gate's no is on record, and it goes on waiting.
    if ('refused' in data) throw new KistError('POLICY_REFUSED', { details: { verdict: data.refused } });
    return { data, lines: [`  ${'state' in data ? String(data.state) : ''}  ${asked.id}`] };
  });
}

/** A lock by the organisation's decision. */
export const overrideVerbs: Verbs = {
  list: listing('override', 'locks by the organisation’s decision that wait for a second person'),
  decide: deciding(
    'override',
    'the second person’s word on one; a yes passes the gate as of now',
    (one, tx, actor, { id, isAgreed, note }) =>
      one.decideOverride(tx, actor, { ask_id: id, is_agreed: isAgreed, note }),
  ),
};
/** A lock of more phones than the hour has room for. */
export const batchVerbs: Verbs = {
  list: listing('batch', 'locks of more phones than the hour has room for that wait for a second person'),
  decide: deciding(
    'batch',
    'the second person’s word on one; a yes lets it begin with a few',
    (one, tx, actor, { id, isAgreed, note }) => one.decideBulk(tx, actor, { batchId: id, isApproved: isAgreed, note }),
  ),
};

export const waitingCommands = {
  ...nounOf('override', 'locks by the organisation’s decision, which take two people', overrideVerbs),
  ...nounOf('batch', 'locks of very many phones, which take two people', batchVerbs),
};
