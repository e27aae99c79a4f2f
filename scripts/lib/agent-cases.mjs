import { lease } from './agent-samples.mjs';

/** What an agent works out alone, by the page's own words: moments and what follows from them. The tests of two agents walk them. */

const at = (/** @type {string} */ day, /** @type {string} */ time) => `2026-${day}T${time}:00.000Z`;
/** Notice 1 on the phone at 10:01 in India on 6 November, level 4 three weeks and four days later at 10:00. */
const { notices, ladder } = lease;
const [notice, step] = [notices[0], ladder[0]];
if (!notice || !step) throw new Error('the lease of the vectors has a notice and a step');
const untold = { ...lease, notices: [{ ...notice, at: at('11-06', '04:30'), delivered_at: null }] };
const twoSteps = {
  ...lease,
  ladder: [
    { ...step, at: at('12-01', '04:30'), level: 3 },
    { ...step, at: at('12-04', '04:30'), level: 4 },
  ],
};

const said = (
  /** @type {string} */ due_since,
  /** @type {string} */ said_at,
  /** @type {string | null} */ told_at = null,
) => ({
  due_since,
  said_at,
  told_at,
  is_answered: false,
});
const answered = (/** @type {string} */ due_since, /** @type {string} */ said_at) => ({
  ...said(due_since, said_at, said_at),
  is_answered: true,
});

/**
 * `shown`: notices that this phone showed under this lease; `taken`: when its steps so far were taken; `is_disputed`: its holder disputes. `claims`: each
 * time its holder said that it is paid, oldest first: `due_since` of the lease's screen then, when that was, `server_time` of the answer to the report that
 * told of it (null: not told yet), and whether a lease has come since that answers it.
 * `step`: the next step of the ladder that the phone may take by itself and the earliest moment of trusted time for it; null: none.
 */
export const LEASE_CASES = [
  {
    name: 'in time: exactly at its moment',
    lease,
    now: at('11-24', '05:00'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [],
    step: { level: 4, at: at('12-01', '04:30') },
  },
  {
    name: 'its notice was neither shown nor delivered',
    lease: untold,
    now: at('12-01', '04:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [],
    step: null,
  },
  {
    name: 'its notice was shown late: the days count from the showing',
    lease: untold,
    now: at('11-24', '06:00'),
    shown: [{ no: 1, at: at('11-24', '06:00') }],
    taken: [],
    is_disputed: false,
    claims: [],
    step: { level: 4, at: at('12-15', '06:00') },
  },
  {
    name: 'the phone was off: late, and within the hours',
    lease,
    now: at('12-03', '07:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [],
    step: { level: 4, at: at('12-03', '07:30') },
  },
  {
    name: 'the phone was off: late, and after the hours, so the next morning',
    lease,
    now: at('12-03', '12:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [],
    step: { level: 4, at: at('12-04', '04:30') },
  },
  {
    name: 'the step below came three days late, so this one does',
    lease: twoSteps,
    now: at('12-04', '04:30'),
    shown: [],
    taken: [{ at: at('12-04', '04:30') }],
    is_disputed: false,
    claims: [],
    step: { level: 4, at: at('12-07', '04:30') },
  },
  {
    name: 'its holder disputes',
    lease,
    now: at('12-01', '04:30'),
    shown: [],
    taken: [],
    is_disputed: true,
    claims: [],
    step: null,
  },
  {
    name: 'its holder said the day before that it is paid, and no lease has answered that: two days later, in the morning',
    lease,
    now: at('12-01', '04:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [said('2026-11-05', at('11-30', '12:00'))],
    step: { level: 4, at: at('12-03', '04:30') },
  },
  {
    name: 'said the day before and told since: the days count from the telling',
    lease,
    now: at('12-01', '04:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [said('2026-11-05', at('11-30', '12:00'), at('12-01', '04:00'))],
    step: { level: 4, at: at('12-04', '04:30') },
  },
  {
    name: 'said long ago and never told: the wait is over, and the step is in time',
    lease,
    now: at('12-01', '04:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [said('2026-11-05', at('11-28', '12:00'))],
    step: { level: 4, at: at('12-01', '04:30') },
  },
  {
    name: 'said before the day since which it is due: it stops nothing',
    lease,
    now: at('12-01', '04:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [said('2026-12-02', at('11-30', '12:00'))],
    step: { level: 4, at: at('12-01', '04:30') },
  },
  {
    name: 'said before that day, and again on it: it waits',
    lease,
    now: at('12-01', '04:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [said('2026-11-30', at('11-29', '12:00')), said('2026-11-30', at('11-30', '12:00'))],
    step: { level: 4, at: at('12-03', '04:30') },
  },
  {
    name: 'said to be paid, and answered by a newer lease',
    lease,
    now: at('12-01', '04:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [answered('2026-11-05', at('11-30', '12:00'))],
    step: { level: 4, at: at('12-01', '04:30') },
  },
  {
    name: 'said again of the same instalment: it stops nothing',
    lease,
    now: at('12-01', '04:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [answered('2026-11-05', at('11-24', '05:00')), said('2026-11-05', at('11-30', '12:00'))],
    step: { level: 4, at: at('12-01', '04:30') },
  },
  {
    name: 'said of the next instalment: it stops again',
    lease,
    now: at('12-01', '04:30'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [answered('2026-10-05', at('11-24', '05:00')), said('2026-11-05', at('12-01', '04:00'))],
    step: { level: 4, at: at('12-04', '04:30') },
  },
  {
    name: 'the lease is over',
    lease,
    now: at('12-24', '05:01'),
    shown: [],
    taken: [],
    is_disputed: false,
    claims: [],
    step: null,
  },
];

/**
 * From enrolment on, in order. `elapsed_ms`: since the last boot; `boots`: the phone went off at `off_at_ms` and starts; `server_time`: of a verified
 * answer. `trusted`: what trusted time is right after it.
 */
export const TRUSTED_TIME = [
  { what: 'enrolled', elapsed_ms: 60_000, server_time: at('11-24', '05:00'), trusted: at('11-24', '05:00') },
  { what: 'an hour without the server', elapsed_ms: 3_660_000, trusted: at('11-24', '06:00') },
  {
    what: 'an answer whose time is ahead wins',
    elapsed_ms: 3_720_000,
    server_time: at('11-24', '06:02'),
    trusted: at('11-24', '06:02'),
  },
  {
    what: 'so does one behind the phone’s own reckoning, above the highest seen: a quartz that runs fast brings nothing near',
    elapsed_ms: 7_320_000,
    server_time: at('11-24', '06:50'),
    trusted: at('11-24', '06:50'),
  },
  {
    what: 'one below the highest seen changes nothing',
    elapsed_ms: 7_380_000,
    server_time: at('11-24', '06:30'),
    trusted: at('11-24', '06:51'),
  },
  {
    what: 'off for a night: it goes on from where it stopped',
    off_at_ms: 7_440_000,
    elapsed_ms: 0,
    trusted: at('11-24', '06:52'),
  },
  { what: 'ten minutes later', elapsed_ms: 600_000, trusted: at('11-24', '07:02') },
];
