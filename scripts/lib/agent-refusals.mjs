/**
 * What a phone may be refused with and what it does then; each stands in the vectors as an answer to `answers`.
 * `isUnsigned`: it can come before the phone proved who it is, or while nobody can sign.
 * @type {{ code: keyof typeof import('@kist/contract/errors').ERRORS, says: string, answers: string, isUnsigned?: true, rest?: object, retryAfterS?: number }[]}
 */
export const REFUSALS = [
  {
    code: 'AGENT_SIGNATURE_INVALID',
    says: 'headers missing or malformed, body and digest differ, or another key signed: sign anew',
    answers: 'first check-in',
  },
  {
    code: 'STALE_REQUEST',
    says: '`created` is too far off: take `details.server_time` (the answer is signed) and ask again with a new nonce',
    answers: 'first check-in',
    rest: { details: { server_time: '2026-11-24T05:00:00.000Z' } },
  },
  { code: 'AGENT_REPLAYED', says: 'this nonce was used: ask again with a new one', answers: 'first check-in' },
  {
    code: 'AGENT_UNKNOWN',
    says: 'no such enrolment or token, or it ended. Changes nothing on the phone: keep the state, ask again later',
    answers: 'poll',
  },
  {
    code: 'ENROLMENT_TOKEN_USED',
    says: 'another phone enrolled with this code: ask the shop for a new one',
    answers: 'enrol',
  },
  { code: 'ENROLMENT_TOKEN_EXPIRED', says: 'ask the shop for a new code', answers: 'enrol' },
  {
    code: 'ENROLMENT_PHONE_MISMATCH',
    says: 'IMEI, serial or kind of agent are not those of the agreement',
    answers: 'enrol',
  },
  { code: 'STATE_CONFLICT', says: 'the phone was released: nothing to enrol', answers: 'enrol' },
  { code: 'INVALID_JSON', says: 'the body is no JSON', answers: 'dispute' },
  {
    code: 'INVALID_INPUT',
    says: '`errors` name the fields; only `proto` can do this to a check-in',
    answers: 'dispute',
    rest: { errors: [{ path: 'text', message: 'field.required' }] },
  },
  { code: 'TOO_LARGE', says: 'send fewer events and acknowledgements at once', answers: 'check-in with news' },
  {
    code: 'RATE_LIMITED',
    says: 'wait for `Retry-After` seconds. Unsigned when the phone has not proved who it is',
    answers: 'poll',
    isUnsigned: true,
    retryAfterS: 12,
  },
  {
    code: 'UNAVAILABLE',
    says: 'the database is away: wait for `Retry-After`. May be unsigned',
    answers: 'poll',
    isUnsigned: true,
    retryAfterS: 1,
  },
];
