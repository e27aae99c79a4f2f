import { createHash } from 'node:crypto';
import { AGENT_PROTO } from '@kist/contract/agent';
import { jcs } from '@kist/contract/jcs';

/** What the vectors of the agent protocol say: one phone, one instalment late, each order and each event once. */

const id = (/** @type {number} */ n) => `0198f2a4-6c11-7b3e-9d20-${String(n).padStart(12, '0')}`;
const DEVICE = id(1);
const AT = '2026-11-24T05:00:00.000Z';
const sim = { slot: 0, iccid: '8991000900000000017', operator: 'Airtel' };
const off = { camera_lock: false, app_lock: false, wallpaper: false };
const screen = {
  language: 'hn',
  shop: 'Sharma Mobiles',
  shop_phone: '+919000000001',
  agreement_no: 'KIST/26-27/000142',
  amount_paise: 267_400,
  due_since: '2026-11-05',
  instalments_due: 1,
  upi_uri: 'upi://pay?pa=sharma@upi&pn=Sharma%20Mobiles&am=2674.00&cu=INR&tr=KST0142A',
  reason: 'EMI_OVERDUE',
};

export const TOKEN = 'k.4Zc1x0yQk1o3mJH2b7R9sWvT5uXaYdEfGhIjKlMnOpQ';
/** Of the QR after that: the phone was erased. */
export const NEXT_TOKEN = 'k.9Aq7v2LpT0cWb4RzUe6YdHs1KmXf8JgNi3OoVtEyQrM';

/** @param {string} publicKey */
export const enrolment = (publicKey, token = TOKEN) => ({
  proto: AGENT_PROTO,
  token,
  public_key_spki: publicKey,
  attestation: [],
  imei: ['356938035643809'],
  serial: 'R58M123ABC',
  brand: 'Samsung',
  model: 'SM-A146B',
  agent: 'DPC',
  agent_version: '1.4.0',
  is_owner: true,
  android_api: 34,
  boot_count: 3,
  elapsed_ms: 61_234,
});

/** What the camera reads, and the typed code gives. @param {string} keyId the server key's name */
export const provisioning = (keyId) => ({
  'android.app.extra.PROVISIONING_DEVICE_ADMIN_COMPONENT_NAME': 'in.kist.agent/.Admin',
  'android.app.extra.PROVISIONING_DEVICE_ADMIN_PACKAGE_DOWNLOAD_LOCATION': 'https://kist.example/agent.apk',
  'android.app.extra.PROVISIONING_DEVICE_ADMIN_SIGNATURE_CHECKSUM': 'gJD2YwtOiWJHkSMkkIfLRlj-quNqG1fb6v100QmzM9w',
  'android.app.extra.PROVISIONING_LEAVE_ALL_SYSTEM_APPS_ENABLED': true,
  'android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE': {
    'kist.server': 'https://kist.example',
    'kist.token': TOKEN,
    'kist.key_id': keyId,
    'kist.org': '20',
  },
});

export const report = {
  proto: AGENT_PROTO,
  boot_count: 3,
  elapsed_ms: 65_000,
  wall_clock: AT,
  highest_seq: 0,
  acks: [],
  events: [],
  state: {
    revision: 0,
    lock_level: 0,
    lock_cause: null,
    lease_seq: 0,
    toggles: off,
    sims: [sim],
    battery: 83,
    agent_version: '1.4.0',
  },
  push_token: null,
};

export const acks = [
  {
    id: id(21),
    seq: 1,
    status: 'applied',
    result: { latitude: 18.5204, longitude: 73.8567, accuracy_m: 25, at: AT },
  },
  { id: id(22), seq: 2, status: 'applied', result: { sims: [sim] } },
  { id: id(23), seq: 3, status: 'delivered' },
  { id: id(24), seq: 4, status: 'seen' },
  { id: id(25), seq: 5, status: 'failed', code: 'NO_PERMISSION' },
];

/** @param {number} n @param {string} kind @param {Record<string, unknown>} data */
const event = (n, kind, data) => ({ id: id(n), kind, at: AT, data });
export const events = [
  event(31, 'booted', { boot_count: 3 }),
  event(32, 'sim_changed', { slot: 0, old: sim, new: null }),
  event(33, 'clock_moved', { from: AT, to: '2026-12-24T05:00:00.000Z', by_s: 2_592_000 }),
  event(34, 'notice_shown', { no: 1, lease_seq: 7 }),
  event(35, 'reminder_shown', { key: 'D-3', lease_seq: 7 }),
  event(36, 'lease_step', { level: 1, from: 0, lease_seq: 7 }),
  event(37, 'dispute', { text: 'I paid at the shop on the 5th.' }),
  event(38, 'payment_claimed', { lock_level: 1 }),
  event(39, 'low_battery', { battery: 14 }),
  event(40, 'agent_removed', { by: 'holder' }),
];

export const desired = {
  revision: 12,
  policy: {
    lock: { level: 3, cause: 'debt', screen },
    toggles: { ...off, wallpaper: true },
    wallpaper_text: 'Sharma Mobiles: ₹2,674 बाकी',
    released: false,
  },
};

/** @param {number} n @param {string} type @param {Record<string, unknown>} args */
const order = (n, type, args) => ({ id: id(20 + n), seq: n, type, args, expires_at: '2026-12-24T05:00:00.000Z' });
export const orders = [
  order(1, 'location', {}),
  order(2, 'sim_info', {}),
  order(3, 'reboot', {}),
  order(4, 'emi_alert', { text: 'Sharma Mobiles: ₹2,674 की किस्त 5 नवंबर से बाकी है।' }),
];

export const lease = {
  v: 1,
  device_id: DEVICE,
  seq: 8,
  revision: 12,
  issued_at: AT,
  valid_until: '2026-12-24T05:00:00.000Z',
  reminders: [{ at: '2026-12-02T04:30:00.000Z', key: 'D-3' }],
  notices: [{ no: 1, at: '2026-11-06T04:30:00.000Z', delivered_at: '2026-11-06T04:31:10.000Z' }],
  ladder: [{ at: '2026-12-01T04:30:00.000Z', level: 4, notice_no: 1, notice_days: 21 }],
  screen,
  claim_answer: { is: 'refused', at: '2026-11-23T09:12:00.000Z' },
};

const digestOf = (/** @type {object} */ policy) => createHash('sha256').update(jcs(policy)).digest('base64url');
const { policy } = desired;
/** The state above, applied. */
const applied = {
  ...report.state,
  revision: 12,
  policy_digest: digestOf(policy),
  lock_level: 3,
  lock_cause: 'debt',
  lease_seq: 8,
  toggles: policy.toggles,
};
export const news = { ...report, elapsed_ms: 900_000, highest_seq: 4, acks, events, state: applied };

/** @param {string} what @param {object} said */
const document = (what, said) => ({ what, policy: said, canonical: jcs(said), digest: digestOf(said) });
const words = 'Ravi "Raju" Traders \\ Main Road, गाँव €\u0001\t\n\u007f 😀/';
/** Desired states with the characters of which their digest is made. */
export const documents = [
  document('free', {
    lock: { level: 0, cause: null, screen: null },
    toggles: off,
    wallpaper_text: null,
    released: false,
  }),
  document('held, with all that a screen shows', policy),
  document('held, with an end of its own', {
    lock: { level: 4, cause: 'enrolment_test', screen: null, until: '2026-11-24T05:15:00.000Z' },
    toggles: off,
    wallpaper_text: null,
    released: false,
  }),
  document('let go', {
    released: true,
    wallpaper_text: null,
    toggles: off,
    lock: { screen: null, cause: null, level: 0 },
  }),
  document('words that are written with signs before them, and some that are not', {
    ...policy,
    lock: { ...policy.lock, screen: { ...screen, shop: words, upi_uri: null, due_since: null } },
    wallpaper_text: words,
  }),
  document('a member that this page does not know yet', { ...policy, zeta: { b: 1, a: [2, 1] }, Alpha: true }),
];

/** The state above, as a phone under an earlier key says that it is held, and what is given back to it: the debt is paid. */
export const held = {
  ...report,
  elapsed_ms: 960_000,
  highest_seq: 4,
  state: applied,
};
export const givenBack = {
  revision: 13,
  policy: { lock: { level: 0, cause: null, screen: null }, toggles: off, wallpaper_text: null, released: false },
};
