import type { Language } from '@kist/contract/codes';
import type { IsoDate } from '@kist/contract/dates';
import type { Dashboard } from '@kist/contract/reports';
import * as identity from '#server/identity/identity.ts';
import type { Tx } from '#server/platform/database.ts';
import * as sql from './birthdays-sql.ts';

/** What a shop wishes, in the customer's own language; the shop sends it from its own WhatsApp. */
const GREETINGS: Record<Language, (name: string, shop: string) => string> = {
  en: (name, shop) => `Happy birthday, ${name}! 🎂 Best wishes from all of us at ${shop}.`,
  hn: (name, shop) => `${name} जी, जन्मदिन की बहुत-बहुत बधाई! 🎂 ${shop} की ओर से ढेर सारी शुभकामनाएँ।`,
  mr: (name, shop) => `${name}, वाढदिवसाच्या हार्दिक शुभेच्छा! 🎂 ${shop} कडून मनापासून शुभेच्छा.`,
  gj: (name, shop) => `${name}, જન્મદિવસની ખૂબ ખૂબ શુભેચ્છા! 🎂 ${shop} તરફથી દિલથી અભિનંદન.`,
  sp: (name, shop) => `¡Feliz cumpleaños, ${name}! 🎂 Los mejores deseos de todos en ${shop}.`,
  bd: (name, shop) => `${name}, শুভ জন্মদিন! 🎂 ${shop}-এর পক্ষ থেকে অনেক শুভেচ্ছা।`,
  kn: (name, shop) => `${name}, ಹುಟ್ಟುಹಬ್ಬದ ಹಾರ್ದಿಕ ಶುಭಾಶಯಗಳು! 🎂 ${shop} ಕಡೆಯಿಂದ ಶುಭ ಹಾರೈಕೆಗಳು.`,
  tg: (name, shop) => `${name} గారు, పుట్టినరోజు శుభాకాంక్షలు! 🎂 ${shop} తరఫున హృదయపూర్వక శుభాకాంక్షలు.`,
  tm: (name, shop) => `${name}, இனிய பிறந்தநாள் வாழ்த்துகள்! 🎂 ${shop} சார்பில் மனமார்ந்த வாழ்த்துகள்.`,
  pp: (name, shop) => `${name} ਜੀ, ਜਨਮਦਿਨ ਦੀਆਂ ਬਹੁਤ-ਬਹੁਤ ਮੁਬਾਰਕਾਂ! 🎂 ${shop} ਵੱਲੋਂ ਸ਼ੁਭ ਕਾਮਨਾਵਾਂ।`,
};

const dayOf = (on: string): number => Number(on.slice(5, 7)) * 100 + Number(on.slice(8, 10));
const LEAP_DAY = '2000-02-29';

/** Whose birthday is on that day, each with a greeting to send. Who was born on a 29 February is wished on the 28th in other years. */
export async function birthdays(tx: Tx, ownerIds: readonly string[], on: IsoDate): Promise<Dashboard['birthdays']> {
  const days = [dayOf(on), ...(identity.isBirthday(LEAP_DAY, on) ? [dayOf(LEAP_DAY)] : [])];
  const rows = await sql.birthdays.all(tx, { owner_ids: ownerIds, days: [...new Set(days)] });
  return rows.map(({ language, shop, ...person }) => ({
    ...person,
    greeting: GREETINGS[language](person.first_name, shop),
  }));
}
