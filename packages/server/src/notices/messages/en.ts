import type { Messages } from './messages.ts';

export const en: Messages = {
  otp: {
    LOGIN:
      '{code} is your OTP to log in. Valid for {minutes} minutes. Do not share it with anyone. We never call to ask for it.',
    FORGOT_PASSWORD: '{code} is your OTP to set a new M-PIN. Valid for {minutes} minutes. Do not share it with anyone.',
    UNINSTALL:
      "{code} is your OTP to remove the app from a customer's phone. Valid for {minutes} minutes. Do not share it with anyone.",
    BYPASS_CODE:
      "{code} is your OTP to get an unlock code for a customer's phone. Valid for {minutes} minutes. Do not share it with anyone.",
    CONSENT:
      '{code}: give this OTP at the shop only if you agree to the EMI terms you signed: {financed} in {emis} EMIs of {amount}, total {total}. If you do not pay on time, apps on your phone can be locked after a notice. If you did not sign, tell nobody. Valid for {minutes} minutes.',
    TERMS:
      '{code}: give this OTP at the shop only if you agree to your new EMIs: {amount} each until {until_on}, total {outstanding}. If you do not agree, tell nobody. Valid for {minutes} minutes.',
    NUMBER:
      '{code}: give this OTP at the shop only if you want your mobile number there changed to the one ending in {ending}. Valid for {minutes} minutes. If you did not ask for it, tell nobody.',
    THEFT_REPORT:
      '{code}: tell this OTP to the shop only if your phone was stolen. Your phone will lock at once. Valid for {minutes} minutes. If you did not ask for it, tell nobody.',
    THEFT_LIFT:
      '{code}: tell this OTP to the shop only if you have your stolen phone back. Its theft lock will be removed. Valid for {minutes} minutes. If you did not ask for it, tell nobody.',
  },
  reminder:
    '{shop}: your EMI of {amount} (agreement {agreement_no}) is due on {due_on}. Pay at the shop or by UPI. Help: {phone}',
  reminder_today:
    '{shop}: your EMI of {amount} (agreement {agreement_no}) is due today. Pay at the shop or by UPI. Help: {phone}',
  notice:
    '{shop}: {amount} has been unpaid since {due_on} (agreement {agreement_no}). Please pay by {pay_by_on}. If not, some apps on your phone may be locked from {from_on}. Calls, internet and emergency numbers will work. Pay at the shop or by UPI. If this is wrong, tell the shop or call {phone}. Details: {link}',
  locked:
    '{shop}: apps on your phone are locked because {amount} has been unpaid since {due_on} (agreement {agreement_no}). Calls, internet and emergency numbers will work. Pay at the shop or by UPI to unlock. If this is wrong, tap "Complaint" on the phone or call {phone}. Details: {link}',
  held: '{shop}: your phone is locked as you asked. Calls, internet and emergency numbers will work. To unlock, call {phone}',
  unlocked:
    '{shop}: your phone is unlocked (agreement {agreement_no}). If it still shows a lock, connect it to the internet or call {phone}',
  released:
    '{shop}: all EMIs of agreement {agreement_no} are paid. All locks are removed from your phone. Thank you! Help: {phone}',
  receipt:
    '{shop}: received {amount} on {paid_at}. Receipt {receipt_no}, agreement {agreement_no}. Balance: {outstanding}. Thank you! Help: {phone}',
  receipt_over:
    '{shop}: received {amount} on {paid_at}, more than was owed. Receipt {receipt_no}, agreement {agreement_no}. The shop will pay it back. Help: {phone}',
  penal:
    '{shop}: late fee of {amount} added for the EMI due on {due_on} (agreement {agreement_no}). No interest is charged on this fee and the phone is not locked for it. Help: {phone}',
  penal_waived:
    '{shop}: {amount} of the late fee for the EMI due on {due_on} is waived (agreement {agreement_no}). You need not pay it. Help: {phone}',
  dispute_answered:
    '{shop}: your complaint about the EMI of {due_on} (agreement {agreement_no}) has a reply. Read it in the app or ask the shop. If you do not agree, take it to the company by {until_on}. There will be no new lock till then. Help: {phone}',
  dispute_closed:
    '{shop}: the company has replied to your complaint about the EMI of {due_on} (agreement {agreement_no}). Read it in the app or ask the shop. There will be no new lock till {until_on}. Help: {phone}',
  dispute_rejected:
    '{shop}: the company did not accept your complaint about the EMI of {due_on} (agreement {agreement_no}). Read why in the app or ask the shop. The phone can be locked again after a notice. Help: {phone}',
  dispute_over_answered:
    '{shop}: agreement {agreement_no} has ended. Your complaint about the EMI of {due_on} has a reply. Read it in the app or ask the shop. If you do not agree, take it to the company by {until_on}. The phone will not be locked for it. Help: {phone}',
  dispute_over:
    '{shop}: agreement {agreement_no} has ended. Your complaint about the EMI of {due_on} is closed with a reply: read it in the app or ask the shop. The phone will not be locked for it. Help: {phone}',
  alert:
    '{shop}: please pay {amount}, due on {due_on} (agreement {agreement_no}). Pay at the shop or by UPI. Help: {phone}',
  on_phone: {
    call_shop: '{shop}: please call us on {phone} about your EMI of {amount}, due on {due_on}.',
    visit_shop: '{shop}: please come to the shop about your EMI of {amount}, due on {due_on}. Help: {phone}',
    keep_online:
      '{shop}: please keep your phone on and connected to the internet, so that it shows your payments. Help: {phone}',
  },
  schedule:
    '{shop}: your EMIs have changed (agreement {agreement_no}): {amount} each from {from_on} to {until_on}. Balance: {outstanding}. If you did not ask for this, tell the shop or call {phone}',
  number_changed:
    '{shop}: the mobile number for agreement {agreement_no} was changed. Messages and OTPs will not come to this number now. If you did not ask for this, tell the shop or call {phone}',
  signup_approved: '{organisation}: your account is open. Help: {contact}. Log in with this mobile number: {link}',
  signup_refused: '{organisation}: your request for an account was not accepted. To ask why: {contact}',
};
