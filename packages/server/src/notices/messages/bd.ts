import type { Messages } from './messages.ts';

export const bd: Messages = {
  otp: {
    LOGIN: '{code} আপনার লগ ইন OTP। এটি {minutes} মিনিট চলবে। কাউকে বলবেন না। আমরা কখনও ফোন করে OTP চাই না।',
    FORGOT_PASSWORD: '{code} আপনার নতুন M-PIN সেট করার OTP। এটি {minutes} মিনিট চলবে। কাউকে বলবেন না।',
    UNINSTALL: '{code} আপনার OTP, গ্রাহকের ফোন থেকে অ্যাপ সরাতে। এটি {minutes} মিনিট চলবে। কাউকে বলবেন না।',
    BYPASS_CODE: '{code} আপনার OTP, গ্রাহকের ফোনের আনলক কোড নিতে। এটি {minutes} মিনিট চলবে। কাউকে বলবেন না।',
  },
  reminder:
    '{shop}: আপনার {amount}-এর কিস্তি (চুক্তি {agreement_no}) {due_on} তারিখে দিতে হবে। দোকানে বা UPI-তে দিন। সাহায্য: {phone}',
  reminder_today: '{shop}: আপনার {amount}-এর কিস্তি (চুক্তি {agreement_no}) আজ দিতে হবে। দোকানে বা UPI-তে দিন। সাহায্য: {phone}',
  notice:
    '{shop}: {due_on} থেকে {amount} বাকি আছে (চুক্তি {agreement_no})। অনুগ্রহ করে {pay_by_on} তারিখের মধ্যে দিন। না দিলে {from_on} থেকে আপনার ফোনের কিছু অ্যাপ লক হতে পারে। কল, ইন্টারনেট ও জরুরি নম্বর চালু থাকবে। দোকানে বা UPI-তে দিন। এটি ভুল হলে দোকানে জানান বা {phone} নম্বরে কল করুন',
  locked:
    '{shop}: {due_on} থেকে {amount} বাকি থাকায় আপনার ফোনের অ্যাপ লক হয়েছে (চুক্তি {agreement_no})। কল, ইন্টারনেট ও জরুরি নম্বর চালু আছে। আনলক করতে দোকানে বা UPI-তে দিন। এটি ভুল হলে ফোনে "অভিযোগ" চাপুন বা {phone} নম্বরে কল করুন',
  held: '{shop}: আপনার কথায় আপনার ফোন লক করা হয়েছে। কল, ইন্টারনেট ও জরুরি নম্বর চালু আছে। আনলক করতে {phone} নম্বরে কল করুন',
  unlocked: '{shop}: আপনার ফোন আনলক হয়েছে (চুক্তি {agreement_no})। এখনও লক দেখালে ইন্টারনেট চালু করুন বা {phone} নম্বরে কল করুন',
  released: '{shop}: চুক্তি {agreement_no}-এর সব কিস্তি দেওয়া হয়েছে। আপনার ফোনের সব লক তুলে নেওয়া হয়েছে। ধন্যবাদ! সাহায্য: {phone}',
  receipt:
    '{shop}: {paid_at} {amount} পাওয়া গেছে। রসিদ {receipt_no}, চুক্তি {agreement_no}। বাকি: {outstanding}। ধন্যবাদ! সাহায্য: {phone}',
  penal:
    '{shop}: {due_on} তারিখের কিস্তিতে {amount} লেট ফি যোগ হয়েছে (চুক্তি {agreement_no})। এর উপর সুদ নেই, এর জন্য ফোন লক হয় না। সাহায্য: {phone}',
  penal_waived:
    '{shop}: {due_on} তারিখের কিস্তির লেট ফি থেকে {amount} মাফ করা হয়েছে (চুক্তি {agreement_no})। এই টাকা দিতে হবে না। সাহায্য: {phone}',
  alert: '{shop}: অনুগ্রহ করে {due_on} তারিখের {amount} দিন (চুক্তি {agreement_no})। দোকানে বা UPI-তে দিন। সাহায্য: {phone}',
};
