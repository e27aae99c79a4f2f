import { LIMITS } from './limits.ts';

/** How long the app takes an answer for fresh: 300 s (`LIMITS.cacheS`) but for these, each with its reason. 0: asked anew each time a screen opens. */
export const CACHE_TIMES: Readonly<Record<string, { freshS: number; because: string }>> = {
  getPlansAntihacking: { freshS: LIMITS.antihackingCacheS, because: 'the specification says so' },
  getCustomerProfile: {
    freshS: 0,
    because: "a phone's state and what may be ordered change without anybody in the shop",
  },
  getCustomerQrCode: { freshS: 0, because: 'somebody waits for the phone to be set up' },
  getDeepLink: { freshS: 0, because: 'it is good once, and another may have been made' },
  getDocument: { freshS: 0, because: 'its link opens the picture for a minute' },
  getCustomerDocuments: { freshS: 0, because: 'its links open the pictures for a minute' },
  getDevice: { freshS: 0, because: 'an order to a phone is watched until the phone has carried it out' },
  getEmiDetails: {
    freshS: 5,
    because: 'money: what is due is read out to the customer, and another phone may have taken it',
  },
  getPayTo: { freshS: 5, because: 'money: what is asked for may have been paid on another phone' },
  previewExchange: { freshS: 0, because: 'whether the phone is held decides whether it may go' },
  previewEmiEdit: { freshS: 0, because: 'what is paid until now decides what is left to lay out anew' },
  getCustomerData: { freshS: 0, because: 'a file that says less than there is would be a wrong one' },
  previewErasure: { freshS: 0, because: 'what runs or is owed until now decides whether it may be' },
  previewCancellation: { freshS: 0, because: 'what is paid until now decides what goes back' },
  previewCommand: { freshS: 0, because: "the gate's word holds for its moment" },
  getPhoneMessages: { freshS: 0, because: 'they say what is due now' },
  listCustomers: { freshS: 0, because: 'pages of a list that changes must be of one moment' },
  getDashboard: { freshS: 20, because: 'what to do now: payments and locks of the last minute count' },
  upcomingEmiCounts: { freshS: 20, because: 'what is to be collected: another phone may have taken it' },
  getUpcomingEmi: { freshS: 20, because: 'what is to be collected: another phone may have taken it' },
  listCollections: { freshS: 20, because: 'what came in until now: another phone may have taken more' },
  previewEmiAlert: { freshS: 0, because: 'who was reminded or has complained meanwhile is left out' },
  listNotifications: { freshS: 0, because: 'who opens the bell wants what happened until now' },
  listWaiting: { freshS: 0, because: 'another may have decided it meanwhile' },
  listPlans: { freshS: 20, because: 'carries the keys left; the last one may be gone' },
  getCountries: { freshS: 86_400, because: 'the world changes once in years' },
  getStates: { freshS: 86_400, because: 'the world changes once in years' },
  getCities: { freshS: 86_400, because: 'the world changes once in years' },
  getRetailerProfile: { freshS: 20, because: 'collections and keys of the last minute count' },
  myPasskeys: { freshS: 0, because: 'who looks wants to know which device signs in now' },
  mySessions: { freshS: 0, because: 'who looks wants to know who is signed in now' },
};

/** @returns seconds for which an answer to this call is fresh. */
export const freshS = (call: string): number => CACHE_TIMES[call]?.freshS ?? LIMITS.cacheS;
