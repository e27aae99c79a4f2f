import type { Language } from '@kist/contract/codes';
import { bd, gj, kn, mr, pp, sp, tg, tm } from './more-languages.ts';

/** The words of a managed phone's own screens. `{…}` are filled in; amounts and dates come formatted. */
export interface LockWords {
  titleReminder: string;
  titleApps: string;
  titleKiosk: string;
  titleOwner: string;
  titleTest: string;
  agreement: string;
  dueSince: string;
  nextLock: string;
  one: string;
  many: string;
  opens: string;
  payUpi: string;
  payOther: string;
  scanUpi: string;
  havePaid: string;
  isWrong: string;
  /** As the text messages name the button. */
  dispute: string;
  keeps: string;
  emergency: string;
  callShop: string;
  paidTold: string;
  /** Of a phone that is held, after it. */
  paidOpens: string;
  /** The shop's no. */
  paidRefused: string;
  /** Money came, and something is left. */
  paidPart: string;
  disputeAsk: string;
  disputeHint: string;
  disputeSent: string;
  /** Said to have paid, and the phone has no network yet. */
  paidWaits: string;
  disputeWaits: string;
  send: string;
  back: string;
  ok: string;
  later: string;
  appPaused: string;
  cameraOff: string;
  notice: string;
  reminder: string;
  ownerText: string;
  testText: string;
  consentTitle: string;
  consentText: string;
  agree: string;
  calling: string;
  endCall: string;
}

const en: LockWords = {
  titleReminder: 'Your EMI is due',
  titleApps: 'Some apps are locked',
  titleKiosk: 'This phone is locked',
  titleOwner: 'This phone is reported lost',
  titleTest: 'Lock test',
  agreement: '{shop} · agreement {no}',
  dueSince: 'Due since {date}',
  nextLock: 'Next lock: {date}',
  one: '1 EMI unpaid.',
  many: '{n} EMIs unpaid.',
  opens: 'Pay and the phone unlocks automatically.',
  payUpi: 'Pay by UPI',
  payOther: 'Pay from another phone',
  scanUpi: 'Scan with any UPI app',
  havePaid: 'I have paid',
  isWrong: 'This is wrong',
  dispute: 'Complaint',
  keeps: 'Calls, internet and alerts keep working',
  emergency: 'Emergency call 112',
  callShop: 'Call the shop {phone}',
  paidTold: '{shop} was informed on {at}.',
  paidOpens: 'The phone unlocks as soon as the shop enters your payment.',
  paidRefused: '{shop} replied on {at}: your payment was not received. Call the shop or send a complaint.',
  paidPart: '{shop} entered a payment on {at}. Still due: ₹{amount}.',
  disputeAsk: 'What is wrong?',
  disputeHint: 'Write in your own words. No further lock until the shop replies.',
  disputeSent: 'Your complaint is sent to {shop}. No further lock until the shop replies.',
  paidWaits: 'The shop will be told when the phone has network. Not told yet.',
  disputeWaits: 'Your complaint will be sent when the phone has network.',
  send: 'Send',
  back: 'Back',
  ok: 'OK',
  later: 'Later',
  appPaused: 'This app is locked. Pay and it unlocks automatically.',
  cameraOff: 'The camera is locked by the shop.',
  notice: 'Notice: your EMI is unpaid. If it stays unpaid, some apps will be locked.',
  reminder: 'Reminder: please pay your EMI.',
  ownerText: 'Have you found this phone? Please call the shop.',
  testText: 'The shop is testing the lock. It will unlock automatically.',
  consentTitle: 'Set this phone up for your EMI',
  consentText:
    'The app shows what is due and reminds you. It sees the phone’s location and SIM only if you allow it. Nothing on the phone is deleted.',
  agree: 'I agree',
  calling: 'Calling 112…',
  endCall: 'End call',
};

const hn: LockWords = {
  titleReminder: 'आपकी किस्त बाकी है',
  titleApps: 'कुछ ऐप लॉक हैं',
  titleKiosk: 'यह फ़ोन लॉक है',
  titleOwner: 'इस फ़ोन के खोने की रिपोर्ट है',
  titleTest: 'लॉक टेस्ट',
  agreement: '{shop} · एग्रीमेंट {no}',
  dueSince: '{date} से बाकी',
  nextLock: 'अगला लॉक: {date}',
  one: '1 किस्त बाकी है।',
  many: '{n} किस्तें बाकी हैं।',
  opens: 'पैसे भरते ही फ़ोन अपने आप अनलॉक हो जाएगा।',
  payUpi: 'UPI से भरें',
  payOther: 'दूसरे फ़ोन से भरें',
  scanUpi: 'किसी भी UPI ऐप से स्कैन करें',
  havePaid: 'मैंने भर दिया',
  isWrong: 'यह गलत है',
  dispute: 'शिकायत',
  keeps: 'कॉल, इंटरनेट और अलर्ट चालू रहते हैं',
  emergency: 'इमरजेंसी कॉल 112',
  callShop: 'दुकान को कॉल करें {phone}',
  paidTold: '{shop} को बता दिया गया है ({at})।',
  paidOpens: 'दुकान पेमेंट दर्ज करेगी, तो फ़ोन तुरंत अनलॉक हो जाएगा।',
  paidRefused: '{shop} का जवाब ({at}): पैसे नहीं मिले। दुकान को कॉल करें या शिकायत भेजें।',
  paidPart: '{shop} ने पेमेंट दर्ज किया ({at})। अब भी बाकी: ₹{amount}।',
  disputeAsk: 'क्या गलत है?',
  disputeHint: 'अपने शब्दों में लिखें। दुकान के जवाब तक और कुछ लॉक नहीं होगा।',
  disputeSent: 'आपकी शिकायत {shop} को भेज दी गई। दुकान के जवाब तक और कुछ लॉक नहीं होगा।',
  paidWaits: 'नेटवर्क मिलते ही दुकान को बता दिया जाएगा। अभी बताया नहीं गया है।',
  disputeWaits: 'नेटवर्क मिलते ही आपकी शिकायत भेज दी जाएगी।',
  send: 'भेजें',
  back: 'वापस',
  ok: 'ठीक है',
  later: 'बाद में',
  appPaused: 'यह ऐप लॉक है। पैसे भरते ही अपने आप अनलॉक हो जाएगा।',
  cameraOff: 'दुकान ने कैमरा लॉक किया है।',
  notice: 'नोटिस: आपकी किस्त बाकी है। न भरने पर कुछ ऐप लॉक हो जाएँगे।',
  reminder: 'रिमाइंडर: कृपया अपनी किस्त भरें।',
  ownerText: 'यह फ़ोन आपको मिला है? कृपया दुकान को कॉल करें।',
  testText: 'दुकान लॉक टेस्ट कर रही है। फ़ोन अपने आप अनलॉक हो जाएगा।',
  consentTitle: 'किस्त के लिए यह फ़ोन सेट करें',
  consentText:
    'ऐप बाकी किस्त दिखाता है और रिमाइंडर देता है। फ़ोन की लोकेशन और सिम तभी देखता है जब आप इजाज़त दें। फ़ोन से कुछ नहीं मिटेगा।',
  agree: 'मुझे मंज़ूर है',
  calling: '112 पर कॉल लग रही है…',
  endCall: 'कॉल काटें',
};

const WORDS: Record<Language, LockWords> = { en, hn, mr, gj, sp, bd, kn, tg, tm, pp };

/** @returns the words of a language. */
export const lockWords = (language: Language): LockWords => WORDS[language];

/** Fills `{name}` of a text; one that is not given stays as it is. */
export const fill = (text: string, values: Record<string, string | number>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
