import type { Messages } from './messages.ts';

export const en: Messages = {
  otp: {
    LOGIN: '{code} is your code to sign in. It works for {minutes} minutes. We never call to ask for it.',
    FORGOT_PASSWORD: '{code} is your code to set a new M-PIN. It works for {minutes} minutes. Tell nobody.',
    UNINSTALL:
      '{code} is your code to remove the app from the phone of a customer. It works for {minutes} minutes. Tell nobody.',
    BYPASS_CODE:
      '{code} is your code to make an unlock code for the phone of a customer. It works for {minutes} minutes. Tell nobody.',
  },
  reminder:
    '{shop}: your instalment of {amount} (agreement {agreement_no}) falls due on {due_on}. Pay at the shop or by UPI. Questions: {phone}',
  reminder_today:
    '{shop}: your instalment of {amount} (agreement {agreement_no}) is due today. Pay at the shop or by UPI. Questions: {phone}',
  notice:
    '{shop}: {amount} has been due since {due_on} (agreement {agreement_no}). Please pay by {pay_by_on}. If not, some apps on the phone may be switched off from {from_on}. Calls, internet and emergency numbers stay on. Pay at the shop or by UPI. If this is wrong, tell us on the phone or call {phone}',
  locked:
    '{shop}: your phone is locked because {amount} has been due since {due_on} (agreement {agreement_no}). Calls, internet and emergency numbers stay on. Pay at the shop or by UPI and it opens at once. If this is wrong, press "Dispute" on the phone or call {phone}',
  held: '{shop}: your phone is locked as you asked. Calls, internet and emergency numbers stay on. To open it: {phone}',
  unlocked:
    '{shop}: your phone is open again (agreement {agreement_no}). If it is still locked, connect it to the internet or call {phone}',
  released:
    '{shop}: all instalments of agreement {agreement_no} are paid. The phone is fully yours; every restriction is gone. Thank you! {phone}',
  receipt:
    '{shop}: received {amount} on {paid_at}. Receipt {receipt_no}, agreement {agreement_no}. Left to pay: {outstanding}. Thank you! {phone}',
  penal:
    '{shop}: a late charge of {amount} was added for the instalment due on {due_on} (agreement {agreement_no}). No interest runs on it and it never locks the phone. Questions: {phone}',
  alert:
    '{shop}: please pay {amount}, due on {due_on} (agreement {agreement_no}). Pay at the shop or by UPI. Questions: {phone}',
};
