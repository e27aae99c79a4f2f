import type { Messages } from './messages.ts';

export const bd: Messages = {
  otp: {
    LOGIN: '{code} আপনার লগইন কোড। এটি {minutes} মিনিট চলবে। আমরা কখনও ফোন করে এই কোড চাই না।',
    FORGOT_PASSWORD: '{code} নতুন M-PIN দেওয়ার কোড। এটি {minutes} মিনিট চলবে। কাউকে বলবেন না।',
    UNINSTALL: '{code} গ্রাহকের ফোন থেকে অ্যাপ সরানোর আপনার কোড। এটি {minutes} মিনিট চলবে। কাউকে বলবেন না।',
    BYPASS_CODE: '{code} গ্রাহকের ফোনের আনলক কোড বানানোর আপনার কোড। এটি {minutes} মিনিট চলবে। কাউকে বলবেন না।',
  },
  reminder: '{shop}: {amount} কিস্তি (চুক্তি {agreement_no}) {due_on} তারিখে দিতে হবে। দোকানে বা UPI-তে দিন। জানতে: {phone}',
  reminder_today: '{shop}: {amount} কিস্তি (চুক্তি {agreement_no}) আজ দিতে হবে। দোকানে বা UPI-তে দিন। জানতে: {phone}',
  notice:
    '{shop}: {due_on} থেকে {amount} বাকি আছে (চুক্তি {agreement_no})। অনুগ্রহ করে {pay_by_on} এর মধ্যে দিন। না দিলে {from_on} থেকে ফোনের কিছু অ্যাপ বন্ধ হতে পারে। কল, ইন্টারনেট ও জরুরি নম্বর চালু থাকবে। দোকানে বা UPI-তে দিন। এটি ভুল হলে ফোনে জানান বা {phone} নম্বরে কল করুন',
  locked:
    '{shop}: {due_on} থেকে {amount} বাকি থাকায় আপনার ফোন লক হয়েছে (চুক্তি {agreement_no})। কল, ইন্টারনেট ও জরুরি নম্বর চালু আছে। দোকানে বা UPI-তে দিলেই খুলে যাবে। এটি ভুল হলে ফোনে "অভিযোগ" চাপুন বা {phone} নম্বরে কল করুন',
  held: '{shop}: আপনার কথায় আপনার ফোন লক করা হয়েছে। কল, ইন্টারনেট ও জরুরি নম্বর চালু আছে। খুলতে: {phone}',
  unlocked: '{shop}: আপনার ফোন আবার খুলেছে (চুক্তি {agreement_no})। এখনও বন্ধ থাকলে ইন্টারনেট চালু করুন বা {phone} নম্বরে কল করুন',
  released: '{shop}: চুক্তি {agreement_no} এর সব কিস্তি দেওয়া হয়েছে। ফোন এখন পুরোপুরি আপনার, সব বাধা সরে গেছে। ধন্যবাদ! {phone}',
  receipt:
    '{shop}: {paid_at} তারিখে {amount} পাওয়া গেছে। রসিদ {receipt_no}, চুক্তি {agreement_no}। বাকি টাকা: {outstanding}। ধন্যবাদ! {phone}',
  penal:
    '{shop}: {due_on} তারিখের কিস্তিতে দেরির জন্য {amount} চার্জ যোগ হয়েছে (চুক্তি {agreement_no})। এর উপর সুদ নেই এবং এতে ফোন কখনও লক হয় না। জানতে: {phone}',
  alert: '{shop}: অনুগ্রহ করে {amount} দিন, তারিখ {due_on} (চুক্তি {agreement_no})। দোকানে বা UPI-তে দিন। জানতে: {phone}',
};
