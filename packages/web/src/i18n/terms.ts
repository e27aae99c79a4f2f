import type { Language } from '@kist/contract/codes';

/**
 * A word that no text may use, and the one that says the thing instead. A word is a whole word whatever its case; `*` at its end lets any ending follow
 * (instalment*, and every inflected form of a language that has them).
 */
export interface Term {
  word: string;
  use: string;
  /** Phrases in which the word is right: 'QR code'. */
  but?: readonly string[];
  /** Texts in which it is right, by key. */
  except?: readonly string[];
}

/** Spelt by whoever ordered the app, to the letter. */
const ORDERED = ['qr.copied', 'qr.copy_failed', 'shell.update', 'states.unexpected', 'errors.image_blob'];

/** One word for one thing in app, messages and on the phone. A language whose words are being put right has its list filled with them. */
export const TERMS: Record<Language, readonly Term[]> = {
  en: [
    { word: 'instalment*', use: 'EMI' },
    { word: 'installment*', use: 'EMI' },
    { word: 'late', use: 'overdue', but: ['late fee'] },
    { word: 'late charge*', use: 'late fee' },
    { word: 'penalty', use: 'late fee' },
    { word: 'penalties', use: 'late fee' },
    { word: 'in all', use: 'total' },
    { word: 'take back', use: 'reverse' },
    { word: 'taken back', use: 'reversed' },
    { word: 'pause*', use: 'lock' },
    { word: 'held', use: 'locked' },
    { word: 'restrict*', use: 'lock' },
    { word: 'pay screen', use: 'full lock' },
    { word: 'free', use: 'unlock' },
    { word: 'freed', use: 'unlocked' },
    { word: 'by itself', use: 'automatically' },
    { word: 'by themselves', use: 'automatically' },
    { word: 'dispute*', use: 'complaint' },
    { word: 'objection*', use: 'complaint' },
    { word: 'object to', use: 'complain about' },
    { word: 'settle*', use: 'close (a complaint)' },
    {
      word: 'code*',
      use: 'OTP',
      but: ['QR code', 'PIN code', 'setup code', 'unlock code', 'anti-hacking code', 'barcode'],
      except: ORDERED,
    },
    { word: 'licence*', use: 'key' },
    { word: 'loan*', use: 'agreement' },
    { word: 'polic*', use: 'lock rules', but: ['privacy policy'] },
    { word: 'clause*', use: 'lock terms' },
    { word: 'sign in', use: 'log in' },
    { word: 'signed in', use: 'logged in' },
    { word: 'sign out', use: 'log out' },
    { word: 'signed out', use: 'logged out' },
    { word: 'buyer*', use: 'customer' },
    { word: 'place', use: 'location' },
    { word: 'last contact', use: 'last seen' },
    { word: 'next contact', use: 'as soon as it is online' },
    { word: 'not reachable', use: 'offline' },
    { word: 'too old', use: 'expired' },
    { word: 'not right', use: 'wrong' },
    { word: 'tries', use: 'attempts' },
    { word: 'papers', use: 'ID documents' },
    { word: 'o’clock', use: 'AM, PM' },
    { word: 'erased', use: 'reset' },
  ],
  hn: [
    { word: 'कोड', use: 'OTP', but: ['QR कोड', 'PIN कोड', 'सेटअप कोड', 'अनलॉक कोड'], except: ORDERED },
    {
      word: 'EMI',
      use: 'किस्त (EMI: the scheme)',
      but: [
        'EMI पर',
        'EMI एग्रीमेंट',
        'EMI की जानकारी',
        'EMI का हिसाब',
        'बिना ब्याज की EMI',
        'EMI सिक्योर',
        'EMI लिंक',
        'EMI आईफ़ोन',
        'EMI वॉलपेपर',
      ],
      except: ['navigate.step_emi', 'consent.text_v2'],
    },
    { word: 'खुल*', use: 'अनलॉक' },
    { word: 'खोलना', use: 'अनलॉक' },
    { word: 'रोक*', use: 'लॉक' },
    { word: 'रुका हुआ', use: 'लॉक' },
    { word: 'पेमेंट स्क्रीन', use: 'फ़ुल लॉक' },
    { word: 'चाबी*', use: 'Key' },
    { word: 'चाबियाँ', use: 'Key' },
    { word: 'हालत', use: 'स्टेटस' },
    { word: 'चालू नहीं', use: 'इनएक्टिव' },
    { word: 'जगह', use: 'लोकेशन' },
    { word: 'पक्का', use: 'कन्फ़र्म' },
    { word: 'संपर्क', use: 'ऑफ़लाइन, आखिरी बार ऑनलाइन' },
    { word: 'याद*', use: 'रिमाइंडर', except: ['consent.text_v2'] },
    { word: 'सूचना', use: 'नोटिस' },
    { word: 'एतराज़', use: 'शिकायत' },
    { word: 'कहता है गलत', use: 'शिकायत' },
    { word: 'वापस लि*', use: 'रिवर्स' },
    { word: 'वापस लें', use: 'रिवर्स करें' },
    { word: 'वापसी', use: 'रिवर्स' },
    { word: 'शुल्क', use: 'लेट चार्ज, फ़ीस' },
    { word: 'लेट फ़ीस', use: 'लेट चार्ज' },
    { word: 'जुर्माना', use: 'लेट चार्ज' },
    { word: 'मिटाएँ', use: 'डिलीट करें', except: ['common.clear', 'common.delete_digit'] },
    { word: 'मिट', use: 'डिलीट' },
    { word: 'साइन', use: 'दस्तखत' },
    { word: 'आदेश', use: 'रिक्वेस्ट' },
    { word: 'लोन', use: 'एग्रीमेंट' },
    { word: 'चुकाएँ', use: 'भरें' },
    { word: 'चुकाने', use: 'भरने' },
    { word: 'चुकाते', use: 'भरते' },
    { word: 'चुक गईं', use: 'जमा हो गईं' },
    { word: 'ताज़ा', use: 'रिफ़्रेश' },
    { word: 'पुराना हो गया', use: 'एक्सपायर' },
    { word: 'खाना', use: 'फ़ील्ड' },
    { word: 'खाने', use: 'फ़ील्ड' },
    { word: 'पूछताछ', use: 'मदद' },
    { word: 'बकाया', use: 'लेट, बाकी' },
  ],
  mr: [
    { word: 'कोड*', use: 'OTP', but: ['QR कोड', 'PIN कोड', 'सेटअप कोड', 'अनलॉक कोड'], except: ORDERED },
    {
      word: 'EMI',
      use: 'हप्ता (EMI: the scheme)',
      but: [
        'EMI वर',
        'EMI करार',
        'EMI ची माहिती',
        'EMI चा हिशोब',
        'बिनव्याजी EMI',
        'EMI सिक्युअर',
        'EMI लिंक',
        'EMI आयफोन',
        'EMI वॉलपेपर',
      ],
      except: ['navigate.step_emi'],
    },
    { word: 'उघडा', use: 'अनलॉक', except: ['errors.PARSING_ERROR', 'device.map'] },
    { word: 'उघडे*', use: 'अनलॉक' },
    { word: 'उघडत*', use: 'अनलॉक' },
    { word: 'उघडण*', use: 'अनलॉक' },
    { word: 'उघडल*', use: 'अनलॉक' },
    { word: 'मोकळा', use: 'अनलॉक' },
    { word: 'थांबव*', use: 'लॉक' },
    { word: 'बंधन*', use: 'लॉक' },
    { word: 'पेमेंट स्क्रीन', use: 'फुल लॉक' },
    { word: 'चाचणी', use: 'टेस्ट' },
    { word: 'चावी', use: 'Key' },
    { word: 'चाव्या', use: 'Key' },
    { word: 'चालू नाही', use: 'इनॲक्टिव्ह' },
    { word: 'स्थिती*', use: 'स्टेटस' },
    { word: 'ठिकाण*', use: 'लोकेशन' },
    { word: 'खात्री', use: 'कन्फर्म' },
    { word: 'संपर्क', use: 'ऑफलाइन, शेवटचे ऑनलाइन' },
    { word: 'आठवण*', use: 'रिमाइंडर', except: ['consent.text_v2'] },
    { word: 'सूचना', use: 'नोटीस, रिक्वेस्ट' },
    { word: 'आदेश', use: 'रिक्वेस्ट' },
    { word: 'हरकत', use: 'तक्रार' },
    { word: 'म्हणतो चुकीचे', use: 'तक्रार' },
    { word: 'परत घे*', use: 'रिव्हर्स' },
    { word: 'परत घ्या', use: 'रिव्हर्स करा' },
    { word: 'थकला', use: 'थकीत' },
    { word: 'थकले*', use: 'थकीत' },
    { word: 'शुल्क', use: 'लेट चार्ज, फी' },
    { word: 'दंड', use: 'लेट चार्ज' },
    { word: 'पुसा', use: 'डिलीट करा', except: ['common.clear', 'common.delete_digit'] },
    { word: 'पुसल*', use: 'डिलीट' },
    { word: 'कर्ज*', use: 'करार' },
    { word: 'जुना झाला', use: 'एक्स्पायर' },
    { word: 'इशारे', use: 'अलर्ट' },
    { word: 'आपत्कालीन', use: 'इमर्जन्सी' },
    { word: 'चौकशी', use: 'मदत' },
    { word: 'पान', use: 'पेज' },
    { word: 'अ‍ॅप', use: 'ॲप' },
  ],
  gj: [
    { word: 'કોડ*', use: 'OTP', but: ['QR કોડ', 'PIN કોડ', 'સેટઅપ કોડ', 'અનલૉક કોડ'], except: ORDERED },
    {
      word: 'EMI',
      use: 'હપ્તો (EMI: the scheme)',
      but: [
        'EMI પર',
        'EMI કરાર',
        'EMI ની માહિતી',
        'EMI નો હિસાબ',
        'વગર વ્યાજના EMI',
        'EMI સિક્યોર',
        'EMI લિંક',
        'EMI આઇફોન',
        'EMI વૉલપેપર',
      ],
      except: ['navigate.step_emi', 'consent.text_v2'],
    },
    { word: 'એપ*', use: 'ઍપ' },
    { word: 'ખુલ્લો', use: 'અનલૉક' },
    { word: 'ખૂલ*', use: 'અનલૉક' },
    { word: 'ખોલવ*', use: 'અનલૉક' },
    { word: 'ખોલાવ*', use: 'અનલૉક' },
    { word: 'રોકવ*', use: 'લૉક' },
    { word: 'રોકા*', use: 'લૉક' },
    { word: 'રોકી', use: 'લૉક' },
    { word: 'રોક', use: 'લૉક' },
    { word: 'પેમેન્ટ સ્ક્રીન', use: 'ફુલ લૉક' },
    { word: 'ચાવી*', use: 'Key' },
    { word: 'હાલત', use: 'સ્ટેટસ' },
    { word: 'ચાલુ નથી', use: 'ઇનઍક્ટિવ' },
    { word: 'જગ્યા', use: 'લોકેશન' },
    { word: 'ખાતરી', use: 'કન્ફર્મ' },
    { word: 'સંપર્ક', use: 'ઑફલાઇન, છેલ્લે ઑનલાઇન', except: ['errors.prices'] },
    { word: 'યાદ', use: 'રિમાઇન્ડર', except: ['consent.text_v2'] },
    { word: 'સૂચના', use: 'નોટિસ, રિક્વેસ્ટ' },
    { word: 'આદેશ', use: 'રિક્વેસ્ટ' },
    { word: 'વાંધો', use: 'ફરિયાદ' },
    { word: 'કહે છે ખોટું', use: 'ફરિયાદ' },
    { word: 'પાછું લ*', use: 'રિવર્સ' },
    { word: 'મોડા', use: 'લેટ' },
    { word: 'મોડું', use: 'લેટ' },
    { word: 'દંડ', use: 'લેટ ચાર્જ' },
    { word: 'ભૂંસો', use: 'ડિલીટ કરો', except: ['common.clear', 'common.delete_digit'] },
    { word: 'ભૂંસવ*', use: 'ડિલીટ' },
    { word: 'ભૂંસા*', use: 'ડિલીટ' },
    { word: 'લોન*', use: 'કરાર' },
    { word: 'જૂનો થયો', use: 'એક્સપાયર' },
    { word: 'પૂછપરછ', use: 'મદદ' },
  ],
  sp: [],
  bd: [
    { word: 'সাইন ইন', use: 'লগ ইন' },
    { word: 'লগইন', use: 'লগ ইন' },
    { word: 'দেরির চার্জ*', use: 'লেট ফি' },
    { word: 'আপত্তি*', use: 'অভিযোগ' },
    { word: 'মেটা*', use: 'বন্ধ (অভিযোগ)' },
    { word: 'মিটেছে', use: 'বন্ধ হয়েছে' },
    { word: 'নীতি*', use: 'লকের নিয়ম' },
    { word: 'নিজে থেকে*', use: 'অটোমেটিক' },
    { word: 'থামা*', use: 'লক' },
    { word: 'সীমিত*', use: 'লক' },
    { word: 'লোন*', use: 'চুক্তি' },
    { word: 'পরের যোগাযোগ*', use: 'নেট পেলেই' },
    { word: 'এজেন্ট*', use: 'অ্যাপ ভার্সন' },
    { word: 'সংস্থা*', use: 'কোম্পানি' },
    { word: 'পরীক্ষার লক', use: 'টেস্ট লক' },
    { word: 'আদেশ*', use: 'কমান্ড' },
    { word: 'কি', use: 'চাবি', except: ['emi.claim_ask'] },
  ],
  kn: [],
  tg: [
    { word: 'సైన్ ఇన్*', use: 'లాగిన్' },
    { word: 'ఫ్రీ*', use: 'అన్‌లాక్' },
    { word: 'తెరుచుకుంటుంది', use: 'అన్‌లాక్ అవుతుంది' },
    { word: 'కాంటాక్ట్‌లో', use: 'నెట్ వచ్చాక' },
    { word: 'చెల్లింపు*', use: 'పేమెంట్' },
    { word: 'రుసుము*', use: 'లేటు ఫీజు' },
    { word: 'అత్యవసర*', use: 'ఎమర్జెన్సీ' },
    { word: 'అభ్యంతర*', use: 'ఫిర్యాదు' },
    { word: 'సెటిల్*', use: 'క్లోజ్ (ఫిర్యాదు)' },
    { word: 'తేలే*', use: 'క్లోజ్ (ఫిర్యాదు)' },
    { word: 'వెనక్కి తీ*', use: 'రివర్స్' },
    { word: 'నిర్ధార*', use: 'కన్ఫర్మ్' },
    { word: 'పాలసీ*', use: 'లాక్ రూల్స్', but: ['ప్రైవసీ పాలసీ'] },
    { word: 'దానంతట అదే', use: 'ఆటోమేటిక్‌గా' },
    { word: 'ఆపివేత*', use: 'లాక్' },
    { word: 'పే స్క్రీన్', use: 'ఫుల్ లాక్' },
    { word: 'ఆగిపో*', use: 'లాక్' },
    { word: 'అప్పు*', use: 'ఒప్పందం', but: ['అప్పుడు', 'అప్పటి'] },
    { word: 'స్థితి', use: 'స్టేటస్' },
    { word: 'సంస్థ*', use: 'కంపెనీ' },
    { word: 'పరిమితం*', use: 'లాక్' },
    { word: 'ఎదురుచూపు', use: 'పెండింగ్' },
    { word: 'ఏజెంట్*', use: 'యాప్ వెర్షన్' },
    { word: 'ఆదేశ*', use: 'కమాండ్' },
  ],
  tm: [
    { word: 'கோடு', use: 'OTP; QR கோட், செட்டப் கோட்', but: ['சிவப்புக் கோடு'] },
    { word: 'காப்பி*', use: 'நகலெடு' },
    { word: 'கால்கள்*', use: 'அழைப்புகள்' },
    { word: 'உள்நுழை*', use: 'லாகின்' },
    { word: 'வெளியேற*', use: 'லாக் அவுட்' },
    { word: 'வாடிக்கையாளர*', use: 'கஸ்டமர்' },
    { word: 'செயலி*', use: 'ஆப்' },
    { word: 'பூட்ட*', use: 'லாக்' },
    { word: 'விநியோகஸ்தர*', use: 'டிஸ்ட்ரிபியூட்டர்' },
    { word: 'செய்தி*', use: 'மெசேஜ்' },
    { word: 'ஆட்சேப*', use: 'புகார்' },
    { word: 'விடுவி*', use: 'அன்லாக்' },
    { word: 'அடுத்த தொடர்ப*', use: 'நெட் வந்ததும்' },
    { word: 'நிறுத்த*', use: 'லாக்' },
    { word: 'கட்டுப்படு*', use: 'லாக்' },
    { word: 'கொள்கை*', use: 'லாக் விதி', but: ['தனியுரிமைக் கொள்கை'] },
    { word: 'சோதனை*', use: 'டெஸ்ட்' },
    { word: 'தோல்வி', use: 'ஃபெயில்' },
    { word: 'மீதி', use: 'மீதம்' },
    { word: 'ஏஜென்ட்*', use: 'ஆப் வெர்ஷன்' },
    { word: 'திரும்பப் பெற*', use: 'ரிவர்ஸ்' },
    { word: 'ஃபோன்*', use: 'போன்' },
  ],
  pp: [],
};

/** Signed in these words: they stand as they are. */
const SIGNED = 'consent.text_v1';

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
/** Letters, their signs and digits of every script: what a word may not be followed or preceded by. */
const LETTER = '[\\p{L}\\p{M}\\p{N}]';
const patternOf = (word: string): RegExp =>
  word.endsWith('*')
    ? new RegExp(`(?<!${LETTER})${quoted(word.slice(0, -1))}`, 'iu')
    : new RegExp(`(?<!${LETTER})${quoted(word)}(?!${LETTER})`, 'iu');

/** @returns whether a text uses the word where it is not right. */
function useOf({ word, but = [], except = [] }: Term): (key: string, text: string) => boolean {
  const pattern = patternOf(word);
  const right = but.map((phrase) => new RegExp(quoted(phrase), 'giu'));
  return (key, text) =>
    !except.includes(key) && pattern.test(right.reduce((left, phrase) => left.replaceAll(phrase, ''), text));
}

/**
 * @param texts by key.
 * @returns a line for each forbidden word in them, with the key and the word to use.
 */
export function misused(texts: ReadonlyMap<string, string>, terms: readonly Term[]): string[] {
  const spoken = [...texts]
    .filter(([key]) => key !== SIGNED)
    .map(([key, text]) => [key, text.replaceAll(/\{+\w+\}+/g, '')] as const);
  return terms.flatMap((term) => {
    const isUsed = useOf(term);
    return spoken
      .filter(([key, text]) => isUsed(key, text))
      .map(([key, text]) => `${key}: not '${term.word}', say '${term.use}' (${text})`);
  });
}
