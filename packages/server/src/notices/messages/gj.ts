import type { Messages } from './messages.ts';

export const gj: Messages = {
  otp: {
    LOGIN: '{code} તમારો લૉગિન OTP છે. {minutes} મિનિટ ચાલશે. કોઈને કહેશો નહીં. અમે ફોન કરીને OTP ક્યારેય માગતા નથી.',
    FORGOT_PASSWORD: '{code} નવો M-PIN રાખવાનો OTP છે. {minutes} મિનિટ ચાલશે. કોઈને કહેશો નહીં.',
    UNINSTALL: '{code} ગ્રાહકના ફોનમાંથી ઍપ કાઢવાનો OTP છે. {minutes} મિનિટ ચાલશે. કોઈને કહેશો નહીં.',
    BYPASS_CODE: '{code} ગ્રાહકના ફોનનો અનલૉક કોડ લેવાનો OTP છે. {minutes} મિનિટ ચાલશે. કોઈને કહેશો નહીં.',
  },
  reminder:
    '{shop}: {amount} નો હપ્તો (કરાર {agreement_no}) {due_on} ના રોજ ભરવાનો છે. દુકાને અથવા UPI થી ભરો. મદદ: {phone}',
  reminder_today: '{shop}: {amount} નો હપ્તો (કરાર {agreement_no}) આજે ભરવાનો છે. દુકાને અથવા UPI થી ભરો. મદદ: {phone}',
  notice:
    '{shop}: {due_on} થી {amount} બાકી છે (કરાર {agreement_no}). કૃપા કરીને {pay_by_on} સુધીમાં ભરો. નહીં ભરો તો {from_on} થી ફોનની કેટલીક ઍપ લૉક થઈ શકે છે. કૉલ, ઇન્ટરનેટ અને ઇમરજન્સી નંબર ચાલુ રહેશે. દુકાને અથવા UPI થી ભરો. આ ખોટું હોય તો દુકાને જણાવો અથવા {phone} પર કૉલ કરો',
  locked:
    '{shop}: {due_on} થી {amount} બાકી હોવાથી તમારા ફોનની ઍપ લૉક છે (કરાર {agreement_no}). કૉલ, ઇન્ટરનેટ અને ઇમરજન્સી નંબર ચાલુ રહેશે. અનલૉક માટે દુકાને અથવા UPI થી ભરો. આ ખોટું હોય તો ફોન પર "ફરિયાદ" દબાવો અથવા {phone} પર કૉલ કરો',
  held: '{shop}: તમારા કહેવાથી તમારો ફોન લૉક કર્યો છે. કૉલ, ઇન્ટરનેટ અને ઇમરજન્સી નંબર ચાલુ રહેશે. અનલૉક માટે {phone} પર કૉલ કરો',
  unlocked:
    '{shop}: તમારો ફોન અનલૉક થઈ ગયો છે (કરાર {agreement_no}). હજી લૉક દેખાય તો ઇન્ટરનેટ ચાલુ કરો અથવા {phone} પર કૉલ કરો',
  released: '{shop}: કરાર {agreement_no} ના બધા હપ્તા ભરાઈ ગયા. તમારા ફોન પરથી બધાં લૉક હટી ગયાં છે. આભાર! મદદ: {phone}',
  receipt:
    '{shop}: {paid_at} ના રોજ {amount} મળ્યા. રસીદ {receipt_no}, કરાર {agreement_no}. બાકી: {outstanding}. આભાર! મદદ: {phone}',
  penal:
    '{shop}: {due_on} ના હપ્તા પર {amount} લેટ ચાર્જ લાગ્યો છે (કરાર {agreement_no}). તેના પર વ્યાજ લાગતું નથી અને તેના માટે ફોન લૉક થતો નથી. મદદ: {phone}',
  penal_waived:
    '{shop}: {due_on} ના હપ્તાના લેટ ચાર્જમાંથી {amount} માફ કર્યા (કરાર {agreement_no}). આ પૈસા ભરવાના નથી. મદદ: {phone}',
  alert: '{shop}: કૃપા કરીને {due_on} નો હપ્તો {amount} ભરો (કરાર {agreement_no}). દુકાને અથવા UPI થી ભરો. મદદ: {phone}',
};
