/** Words that an organisation may let its shops show, in every language. */
export const SCREEN_TEXTS = {
  en: '{shop}: please pay {amount}. Help: {phone}',
  hn: '{shop}: कृपया {amount} भरें। मदद: {phone}',
  mr: '{shop}: कृपया {amount} भरा. मदत: {phone}',
  gj: '{shop}: કૃપા કરીને {amount} ભરો. મદદ: {phone}',
  sp: '{shop}: pague {amount}, por favor. Ayuda: {phone}',
  bd: '{shop}: অনুগ্রহ করে {amount} দিন। সাহায্য: {phone}',
  kn: '{shop}: {amount} ದಯವಿಟ್ಟು ಕಟ್ಟಿ. ಮಾಹಿತಿಗೆ: {phone}',
  tg: '{shop}: {amount} దయచేసి కట్టండి. సహాయం: {phone}',
  tm: '{shop}: {amount} கட்டவும். உதவி: {phone}',
  pp: '{shop}: ਕਿਰਪਾ ਕਰਕੇ {amount} ਭਰੋ। ਜਾਣਕਾਰੀ: {phone}',
};
