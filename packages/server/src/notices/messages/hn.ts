import type { Messages } from './messages.ts';

export const hn: Messages = {
  otp: {
    LOGIN: '{code} आपका लॉगिन OTP है। {minutes} मिनट तक चलेगा। किसी को न बताएँ। हम कभी फ़ोन करके OTP नहीं माँगते।',
    FORGOT_PASSWORD: '{code} नया M-PIN बनाने का OTP है। {minutes} मिनट तक चलेगा। किसी को न बताएँ।',
    UNINSTALL: '{code} ग्राहक के फ़ोन से ऐप हटाने का OTP है। {minutes} मिनट तक चलेगा। किसी को न बताएँ।',
    BYPASS_CODE: '{code} ग्राहक के फ़ोन का अनलॉक कोड लेने का OTP है। {minutes} मिनट तक चलेगा। किसी को न बताएँ।',
  },
  reminder: '{shop}: {amount} की किस्त (एग्रीमेंट {agreement_no}) {due_on} को भरनी है। दुकान पर या UPI से भरें। मदद: {phone}',
  reminder_today: '{shop}: {amount} की किस्त (एग्रीमेंट {agreement_no}) आज भरनी है। दुकान पर या UPI से भरें। मदद: {phone}',
  notice:
    '{shop}: {due_on} से {amount} बाकी है (एग्रीमेंट {agreement_no})। कृपया {pay_by_on} तक भरें। न भरने पर {from_on} से फ़ोन के कुछ ऐप लॉक हो सकते हैं। कॉल, इंटरनेट और इमरजेंसी नंबर चालू रहेंगे। दुकान पर या UPI से भरें। अगर यह गलत है तो दुकान को बताएँ या {phone} पर कॉल करें',
  locked:
    '{shop}: {due_on} से {amount} बाकी है, इसलिए आपके फ़ोन के ऐप लॉक हैं (एग्रीमेंट {agreement_no})। कॉल, इंटरनेट और इमरजेंसी नंबर चालू रहेंगे। अनलॉक के लिए दुकान पर या UPI से भरें। अगर यह गलत है तो फ़ोन पर "शिकायत" दबाएँ या {phone} पर कॉल करें',
  held: '{shop}: आपके कहने पर आपका फ़ोन लॉक किया गया है। कॉल, इंटरनेट और इमरजेंसी नंबर चालू रहेंगे। अनलॉक के लिए {phone} पर कॉल करें',
  unlocked:
    '{shop}: आपका फ़ोन अनलॉक हो गया है (एग्रीमेंट {agreement_no})। अब भी लॉक दिखे तो इंटरनेट चालू करें या {phone} पर कॉल करें',
  released: '{shop}: एग्रीमेंट {agreement_no} की सभी किस्तें जमा हो गईं। आपके फ़ोन से सारे लॉक हट गए हैं। धन्यवाद! मदद: {phone}',
  receipt:
    '{shop}: {paid_at} को {amount} मिले। रसीद {receipt_no}, एग्रीमेंट {agreement_no}। बाकी: {outstanding}। धन्यवाद! मदद: {phone}',
  penal:
    '{shop}: {due_on} की किस्त पर {amount} लेट चार्ज लगा है (एग्रीमेंट {agreement_no})। इस पर ब्याज नहीं लगता और इसके लिए फ़ोन लॉक नहीं होता। मदद: {phone}',
  penal_waived:
    '{shop}: {due_on} की किस्त के लेट चार्ज में से {amount} माफ़ किए गए (एग्रीमेंट {agreement_no})। ये पैसे नहीं देने हैं। मदद: {phone}',
  alert: '{shop}: कृपया {due_on} की किस्त {amount} भरें (एग्रीमेंट {agreement_no})। दुकान पर या UPI से भरें। मदद: {phone}',
};
