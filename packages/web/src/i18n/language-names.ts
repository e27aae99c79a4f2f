import type { Language } from '@kist/contract/codes';

/** Each language by its own name, in its own script. */
export const LANGUAGE_NAMES: Record<Language, string> = {
  en: 'English',
  hn: 'हिन्दी',
  mr: 'मराठी',
  gj: 'ગુજરાતી',
  sp: 'Español',
  bd: 'বাংলা',
  kn: 'ಕನ್ನಡ',
  tg: 'తెలుగు',
  tm: 'தமிழ்',
  pp: 'ਪੰਜਾਬੀ',
};
