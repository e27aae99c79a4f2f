/** After the sign-in a session ends, however much it is used; money taken offline waits in it no longer. */
const SESSION_DAYS = 30;

/** Days for which what has done its work is kept. Beside the others, for the app asks none of them. */
export const KEPT_DAYS = {
  /** Codes say who asked when: the daily limit looks back one day, the nightly look at what stands on them two. */
  otps: 3,
  /** Used proofs. */
  proofs: 30,
  /** Ended sessions. */
  sessions: 30,
  /** So long somebody who asks for an account waits for an answer, then asks again. */
  signups: 30,
  /** From the answer on: until then `kist signup list` says what was answered. */
  decidedSignups: 30,
  /** A client that was offline for a week may still repeat its request and get the first reply. */
  replies: 30,
  /** Messages that went out. */
  messages: 7,
  /** A sale that was begun and not signed, from when somebody last wrote in it or took a picture for it. */
  drafts: 90,
} as const;

/** Letters of a privacy policy in one language; an operator's alone, as those above. */
export const POLICY_LENGTH = 20_000;

/** Every bound of the product, once; units last. The app, the server and the documents read them here. */
export const LIMITS = {
  otpDigits: 6,
  otpTtlS: 300,
  otpTries: 5,
  otpResendS: 30,
  otpPerDay: 5,
  /** Codes to customers in 24 hours that nobody used, whatever their numbers: of a shop with its mini-retailers, of a whole organisation. */
  otpUnusedPerShop: 60,
  otpUnusedPerOrganisation: 3000,
  /** Numbers that one shop may write down for others in a day and learn that they are taken, or change those written down to. */
  numbersTriedPerDay: 10,
  /** Times in 24 hours that a second person is asked to agree to the lock of one agreement: each rings at all who could. */
  overrideAsksPerDay: 5,
  /** Changes of one customer's number in 24 hours to which no code from the number before agreed. */
  numberChangesPerDay: 3,
  mpinDigits: 4,
  mpinTries: 5,
  mpinLockS: 900,
  /** For a device to ask its owner for the fingerprint. */
  passkeyTtlS: 120,
  /** From opening the identity provider's page to coming back from it. */
  oidcTtlS: 600,
  stepUpTtlS: 300,
  resetTtlS: 600,
  sessionIdleDays: 30,
  sessionAbsoluteDays: SESSION_DAYS,
  requestSkewS: 300,
  pageSize: 20,
  pageSizeMax: 100,
  /** Daily roots of the audit in one answer: a year and a month. */
  auditRoots: 400,
  searchLength: 64,
  nameLength: 80,
  addressLength: 200,
  noteLength: 500,
  /** A reason that somebody else must be able to read: of a payment taken back, of a dispute closed. */
  reasonLengthMin: 3,
  /** Of what a second person says to a no. */
  refusalNoteLength: 200,
  /** A city, a state. */
  placeLength: 60,
  /** Of a payment: what UPI, a bank or a cheque call it. */
  referenceLength: 60,
  /** What a phone can show of one message, and the longest of a draft's unfinished fields. */
  messageLength: 300,
  uploadBytes: 5 * 1024 * 1024,
  bodyBytes: 256 * 1024,
  imageEdgePx: 1200,
  imageQuality: 0.8,
  /** Of a picture that is sent, before it is made smaller: 6000 × 4000 and a little. */
  imagePixels: 25_000_000,
  imageNameLength: 80,
  /** Pictures of one customer, those that were replaced and are still kept among them; of all customers of one shop; of all shops of one organisation. */
  documentsOfCustomer: 60,
  documentBytesOfCustomer: 40 * 1024 * 1024,
  /** Beyond those, for photo and signatures alone. */
  documentsInReserve: 12,
  documentBytesInReserve: 10 * 1024 * 1024,
  documentsOfShop: 100_000,
  documentBytesOfShop: 20 * 1024 * 1024 * 1024,
  documentsOfOrganisation: 10_000_000,
  documentBytesOfOrganisation: 2 * 1024 ** 4,
  /** So long a link to a picture opens it. */
  documentLinkS: 60,
  /** So long a picture that another took the place of can be asked for again by whoever runs the installation. */
  documentsReplacedKeptDays: 30,
  bulkDevices: 100_000,
  /** Of a lock of many, one phone in so many goes first, and so many at least: the canary. What it shows within so many minutes decides whether the others follow. */
  canaryOneIn: 100,
  canaryLeast: 10,
  canaryMinutes: 10,
  /** Of the phones that were locked last, the share in a hundred that may go wrong (a failed order, a phone that a person freed, a dispute) before a lock of many stops by itself; fewer than `bulkTroubleLeast` say nothing. */
  bulkTroublePercent: 5,
  bulkTroubleLeast: 3,
  /** A session so young orders no lock of many: who has just broken in cannot lock a town. */
  bulkSessionMinutes: 15,
  /** So long a dry run stands for the order that follows it. */
  bulkPreviewMinutes: 15,
  /** So long an order of more locks than the hour has room for waits for a second person. */
  bulkApprovalMinutes: 60,
  /** Customers that pass to another shop in one call. */
  transferCustomers: 2000,
  /** Keys that are passed on, or taken back, in one call. */
  transferKeys: 100_000,
  /** After a transfer the shop of before brings in what it took until then: as long as a session can last that has it waiting. The database holds it too. */
  takenBeforeTransferDays: SESSION_DAYS,
  /** Customers reminded by one call: as many as leave the SMS gateway within minutes. */
  remindCustomers: 10_000,
  /** That many ids as JSON, 39 bytes each. */
  bulkBodyBytes: 4 * 1024 * 1024,
  enrolmentTokenTtlS: 24 * 3600,
  keyReservationDays: 7,
  /** Before the due day: no policy reminds earlier, and the daily run looks no further ahead. */
  reminderDaysAhead: 30,
  /** Days that the dry run of a lock policy looks ahead. */
  policyPreviewDays: 30,
  /** Days of the past that a policy is tried on, with the payments as they came in: a year. */
  policyReplayDays: 366,
  /** Days of an organisation on which nothing rises, a few years of them. */
  holidays: 400,
  /** A hold for hardship, illness or a holiday lasts no longer; whoever needs more asks again. */
  holdDays: 90,
  alertThrottleS: 6 * 3600,
  commandTtlS: 30 * 24 * 3600,
  /** After a dispute was answered its customer can take it further for so long, and nothing rises meanwhile. */
  disputeAnswerDays: 7,
  commandsPerCheckin: 20,
  /** Of one phone; what comes beyond is counted, not kept. */
  eventsPerDayAndKind: 500,
  /** A held phone that says nothing for so long is shown as silent, unless its agreement's policy has a number of its own, and the most that one may say. */
  silentAfterDays: 3,
  silentAfterDaysMost: 90,
  /** A SIM that came into a phone longer ago is its customer's. */
  simChangedDays: 7,
  /** What phones say, and orders and verdicts that no lock stood on, are kept so long. */
  eventsKeptDays: 90,
  /** Of a customer who was erased: what proves consent and messages until claims are time-barred (Limitation Act 1963), books eight years after theirs (Companies Act 2013). */
  evidenceKeptYears: 3,
  booksKeptYears: 8,
  ordersKeptDays: 400,
  /** What a phone's wallpaper says, in UTF-16 units. */
  wallpaperTextLength: 300,
  agentBodyBytes: 64 * 1024,
  agentSkewS: 300,
  /** Of one phone that proved who it is: check-ins, polls and disputes, each kind for itself. */
  agentCallsPerMinute: 60,
  /** And of these so many at once. */
  agentCallsAtOnce: 10,
  longPollS: 25,
  liveStreamS: 300,
  cacheS: 300,
  antihackingCacheS: 5,
  unusedDataS: 60,
  requestTimeoutMs: 20_000,
  geolocationTimeoutMs: 5000,
  cashWarningPaise: 2_00_000_00,
} as const;

/** What one report of a phone may carry: beyond it the rest waits for the next, and texts are cut. */
export const REPORT_LIMITS = {
  acks: 64,
  events: 50,
  sims: 4,
  iccidLength: 22,
  operatorLength: 40,
  numberLength: 20,
  agentVersionLength: 20,
  pushTokenLength: 400,
  codeLength: 40,
  accuracyM: 100_000,
} as const;

/** Of a record of things that only a program knows. One that is more is cut to the first `cutKeys` that are no lists or records. */
export const DETAIL_LIMITS = {
  values: 200,
  depth: 5,
  keyLength: 40,
  innerKeyLength: 60,
  textLength: 2000,
  cutKeys: 20,
} as const;

/**
 * The days that people may name: none of the business lies outside, and everything reckoned from them (ten years of instalments, notice
 * periods) stays inside the years 0000–9999 of `dates.ts` and inside PostgreSQL's calendar.
 */
export const CALENDAR = { from: '2000-01-01', to: '2099-12-31', bornFrom: '1900-01-01' } as const;

/**
 * Hours of the day in India in which something is taken by itself, `toHour` not included: both presets', and those of a phone that takes a late
 * step alone, because a lease names moments and no hours.
 */
export const AUTOMATIC_HOURS = { fromHour: 10, toHour: 18 } as const;

/**
 * Somebody says that it is paid: the ladder waits to the end of so many days in India after the one on which that was said, so that the shop has 48 hours at
 * least. So on the server, and on a phone that it does not reach.
 */
export const CLAIM_REST_DAYS = 2;

/** The largest number of an `integer` column. */
export const INT4_MAX = 2 ** 31 - 1;
/** Nine digits: so many have the number of an organisation in the names of its files and in the links of its notices. */
export const ORG_ID_MAX = 999_999_999;

/** lock_status 1 ("locked") means: the phone reported this level or a higher one. Below it the phone only reminds. */
export const LOCKED_FROM_LEVEL = 3;
