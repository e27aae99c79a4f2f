export type TimeUnit = 'second' | 'minute' | 'hour' | 'day';

/** How a language speaks of time; always in the digits of money (0–9) and, where two orders exist, in that of India: 31 Dec. */
export interface TimeWords {
  /** @param value of units ago; 0 is now. @returns '2 min ago', '3 दिन पहले', 'yesterday'. */
  ago: (value: number, unit: TimeUnit) => string;
  /** @returns '2h', '33 मि'. @param digits at least this many. */
  span: (value: number, unit: TimeUnit, digits?: number) => string;
  /** @param month 1 to 12. @returns '4 Dec', '4 दिस॰'. */
  day: (day: number, month: number) => string;
}

/** @param tag BCP 47, a language. */
function intlWords(tag: string): TimeWords {
  const locale = `${tag}-IN-u-nu-latn`;
  return {
    ago: (value, unit) => new Intl.RelativeTimeFormat(locale, { numeric: 'auto', style: 'short' }).format(-value, unit),
    span: (value, unit, digits = 1) =>
      new Intl.NumberFormat(locale, {
        style: 'unit',
        unit,
        unitDisplay: 'narrow',
        minimumIntegerDigits: digits,
      }).format(value),
    day: (day, month) =>
      new Intl.DateTimeFormat(locale, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
        Date.UTC(2024, month - 1, day),
      ),
  };
}

const PUNJABI_MONTHS = 'ਜਨ ਫ਼ਰ ਮਾਰਚ ਅਪ੍ਰੈ ਮਈ ਜੂਨ ਜੁਲਾ ਅਗ ਸਤੰ ਅਕਤੂ ਨਵੰ ਦਸੰ'.split(' ');
const PUNJABI_UNITS: Record<TimeUnit, readonly [one: string, more: string]> = {
  second: ['ਸਕਿੰਟ', 'ਸਕਿੰਟ'],
  minute: ['ਮਿੰਟ', 'ਮਿੰਟ'],
  hour: ['ਘੰਟਾ', 'ਘੰਟੇ'],
  day: ['ਦਿਨ', 'ਦਿਨ'],
};
const punjabiSpan: TimeWords['span'] = (value, unit, digits = 1) =>
  `${String(value).padStart(digits, '0')} ${PUNJABI_UNITS[unit][value <= 1 ? 0 : 1]}`;

/** Punjabi as a browser with its words has it. Exported for its test against one. */
export const punjabiWords: TimeWords = {
  ago: (value, unit) => {
    if (value <= 0) return 'ਹੁਣ';
    return unit === 'day' && value === 1 ? 'ਬੀਤਿਆ ਕੱਲ੍ਹ' : `${punjabiSpan(value, unit)} ਪਹਿਲਾਂ`;
  },
  span: punjabiSpan,
  day: (day, month) => `${day} ${PUNJABI_MONTHS[month - 1]}`,
};

/** Chromium (seen in 156) names Punjabi among its languages but ships no words for it: its Intl says 'M12 4' and '-5 min'. */
const hasWords = (words: TimeWords) => !/M\d/.test(words.day(4, 12));

const known = new Map<string, TimeWords>();
/** @param tag BCP 47, one of our languages. @returns the browser's own words, or ours where it lacks them. */
export function timeWords(tag: string): TimeWords {
  const before = known.get(tag);
  if (before) return before;
  const own = intlWords(tag);
  const words = tag === 'pa' && !hasWords(own) ? punjabiWords : own;
  known.set(tag, words);
  return words;
}
