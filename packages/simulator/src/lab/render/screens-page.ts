import type { LockScreen } from '@kist/contract/agent';
import { LANGUAGE_TAGS } from '@kist/contract/codes';
import type { Language } from '@kist/contract/codes';
import { isoDate } from '@kist/contract/dates';
import type { ScreenView } from '#simulator/lab/phone-view.ts';
import { APPS, KIOSK_APPS } from '#simulator/phones/android/screen.ts';
import type { ScreenModel } from '#simulator/phones/android/screen.ts';
import { html } from './html.ts';
import type { Html } from './html.ts';
import { phoneScreen } from './phone-screen.ts';

const DUE: Omit<LockScreen, 'language'> = {
  shop: 'Sunita Mobile & Electronics, Nashik',
  shop_phone: '9000000001',
  agreement_no: '20-00471',
  amount_paise: 1_428_150,
  due_since: '2026-07-05',
  instalments_due: 3,
  upi_uri: 'upi://pay?pa=sunita@upi&pn=Sunita%20Mobile&am=14281.50&cu=INR&tr=2000471&tn=EMI%2020-00471',
  reason: 'EMI_OVERDUE',
};
/** A lock for its owner's sake names no debt. */
const NO_DEBT = { amount_paise: 0, due_since: null, instalments_due: 0, upi_uri: null };

type Shown = Partial<Omit<ScreenModel, 'due'>> & { sheet?: ScreenView['sheet']; due?: Partial<LockScreen> };
const apps: Shown = { kind: 'home', level: 3, cause: 'debt' };
const kiosk: Shown = { kind: 'kiosk', level: 4, cause: 'debt' };

const WROTE_MS = Date.parse('2026-07-18T05:00:00Z');
const TOLD = { is: 'told', atMs: WROTE_MS } as const;

/** Every screen on which something of the phone is held back, by a name. */
const SCREENS: Record<string, Shown> = {
  apps,
  'apps-told': {
    ...apps,
    claim: TOLD,
    banner: { kind: 'reminder', key: 'due', atMs: 0 },
    message: { id: 'm', text: 'Please come to the shop before Saturday.', atMs: WROTE_MS },
  },
  'apps-off': { ...apps, sheet: 'paused' },
  'camera-off': { ...apps, sheet: 'camera_off' },
  kiosk,
  'kiosk-told': { ...kiosk, claim: TOLD, message: { id: 'm', text: 'Please come before Saturday.', atMs: WROTE_MS } },
  'kiosk-claimed': { ...kiosk, claim: { is: 'waiting' } },
  'kiosk-refused': { ...kiosk, claim: { ...TOLD, is: 'refused' } },
  'kiosk-part-paid': { ...kiosk, claim: { ...TOLD, is: 'paid' } },
  'kiosk-disputed': { ...kiosk, dispute: 'sent' },
  'kiosk-no-upi': { ...kiosk, due: { upi_uri: null } },
  upi: { ...kiosk, sheet: 'upi' },
  pay: { ...kiosk, sheet: 'pay' },
  dispute: { ...kiosk, sheet: 'dispute' },
  lost: { ...kiosk, cause: 'theft', due: NO_DEBT },
  test: { ...kiosk, cause: 'enrolment_test', due: NO_DEBT },
  advisory: { ...kiosk, kind: 'reminder', isAdvisory: true },
};
export const SCREEN_NAMES = Object.keys(SCREENS);

const reminder: Shown = { kind: 'home', level: 1, cause: 'debt', wallpaper: null };
/** Reminders, on which nothing is held back yet. */
const REMINDERS: Record<string, Shown> = {
  reminder,
  'reminder-told': { ...reminder, claim: TOLD },
  'reminder-noticed': { ...reminder, level: 2, banner: { kind: 'notice', key: '1', atMs: 0 } },
};
export const REMINDER_NAMES = Object.keys(REMINDERS);

/**
 * One screen alone, as wide and high as the window: what translators look at and browser tests measure.
 * @param name of SCREEN_NAMES or REMINDER_NAMES. @param textPct the size of letters that the phone's holder chose, 100 or 200
 */
export function screenPage(name: string, language: Language, textPct: number): Html {
  return html`<!doctype html>
    <html lang="${LANGUAGE_TAGS[language]}">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${name}</title>
        <link rel="stylesheet" href="style.css" />
      </head>
      <body class="bare">
        <div class="screen text-${textPct}">
          ${phoneScreen(viewOf(SCREENS[name] ?? REMINDERS[name] ?? {}, language), 1)}
        </div>
      </body>
    </html>`;
}

function viewOf({ sheet = null, due = {}, ...shown }: Shown, language: Language): ScreenView {
  const isHeld = (key: (typeof APPS)[number]['key'], isLeisure: boolean) =>
    !shown.isAdvisory && (shown.kind === 'kiosk' ? !KIOSK_APPS.includes(key) : isLeisure && (shown.level ?? 0) >= 3);
  const screen: ScreenModel = {
    kind: 'home',
    level: 0,
    cause: null,
    language,
    wallMs: Date.parse('2026-07-20T05:00:00Z'),
    batteryPct: 76,
    isNetworkOn: true,
    operator: 'Jio',
    apps: APPS.map(({ key, isLeisure }) => ({ key, state: isHeld(key, isLeisure) ? 'paused' : 'free' })),
    wallpaper: { text: null },
    nextLockOn: shown.kind === 'home' ? isoDate('2026-07-27') : null,
    banner: null,
    message: null,
    isAdvisory: false,
    dispute: 'none',
    claim: null,
    ...shown,
    due: { language, ...DUE, ...due },
  };
  return { id: 'shown', brand: 'Redmi', model: '13C', imei: [], is_rebooting: false, sheet, screen };
}
