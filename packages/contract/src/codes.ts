/**
 * The specification's numbers and names, to the letter. Plan types and provisioning types share words but not
 * numbers (LINKFL is 1 as a plan and 2 as a provisioning type), hence two branded types that do not mix.
 */
declare const planBrand: unique symbol;
declare const provisioningBrand: unique symbol;
export type PlanType = number & { readonly [planBrand]: true };
export type ProvisioningType = number & { readonly [provisioningBrand]: true };

const plan = (value: number) => value as PlanType;
const provisioning = (value: number) => value as ProvisioningType;

/** How a phone is reached. */
export const PROVISIONING = {
  DPC: provisioning(0),
  AMAPI: provisioning(1),
  LINKFL: provisioning(2),
  APPLE: provisioning(3),
} as const;
export type ProvisioningName = keyof typeof PROVISIONING;
export const PROVISIONING_NAMES = Object.keys(PROVISIONING) as ProvisioningName[];
/** @returns the name of a provisioning number; undefined when there is none. */
export const provisioningName = (value: number): ProvisioningName | undefined =>
  PROVISIONING_NAMES.find((name) => PROVISIONING[name] === value);

/** What a retailer sells; each activation consumes one key of this type. */
export const PLAN = {
  DPC: plan(0),
  LINKFL: plan(1),
  APPLE: plan(2),
  ANTI_THEFT: plan(4),
  EXTENDED_WARRANTY: plan(5),
  OLD_FL: plan(6),
  FAMILYCARE: plan(7),
  ANTIHACKING: plan(8),
  DPC_ANTITHEFT: plan(9),
  ANTIHACKING_PRO: plan(12),
  ANTIHACKING_PREMIUM: plan(13),
} as const;
export type PlanName = keyof typeof PLAN;
export const PLAN_NAMES = Object.keys(PLAN) as PlanName[];
export const planName = (value: number): PlanName | undefined => PLAN_NAMES.find((name) => PLAN[name] === value);

/** Plans with an EMI agreement, and the way their phones are reached. */
export const EMI_PLANS = ['DPC', 'LINKFL', 'APPLE', 'OLD_FL', 'DPC_ANTITHEFT'] as const satisfies readonly PlanName[];

/** Customer or device status; 5 and 6 are computed from the agreement and act like statuses in filters. */
export const CUSTOMER_STATUS = {
  inactive: 0,
  install: 1,
  deactivate: 2,
  uninstall: 3,
  apple_removed: 4,
  emis_completed: 5,
  emis_maturing: 6,
} as const;
export type CustomerStatusName = keyof typeof CUSTOMER_STATUS;
export type CustomerStatus = (typeof CUSTOMER_STATUS)[CustomerStatusName];

export const LOCK_STATUS = { unlocked: 0, locked: 1 } as const;

/** An admin runs an organisation: its books, nothing of a shop's. */
export const USER_TYPES = ['retailer', 'customer', 'miniretailer', 'admin'] as const;
export type UserType = (typeof USER_TYPES)[number];
/** Of them, who is a shop. */
export const SHOP_TYPES = ['retailer', 'miniretailer'] as const satisfies readonly UserType[];
export type ShopType = (typeof SHOP_TYPES)[number];
/** How a list of shops is narrowed. */
export const SHOP_STATES = ['all', 'active', 'suspended'] as const;
export type ShopState = (typeof SHOP_STATES)[number];
/** What a shop shows: the UPI QR that it is paid by, and its owner's signature. */
export const PICTURE_KINDS = ['qr', 'signature'] as const;
export type PictureKind = (typeof PICTURE_KINDS)[number];
/** Of a request for an account. */
export const SIGNUP_STATES = ['open', 'approved', 'refused'] as const;
export type SignupState = (typeof SIGNUP_STATES)[number];

export const PURPOSES = ['LOGIN', 'FORGOT_PASSWORD', 'UNINSTALL', 'BYPASS_CODE'] as const;
export type Purpose = (typeof PURPOSES)[number];
/** With them a customer says at a counter that the phone was stolen, or is there again. */
export const THEFT_PURPOSES = ['THEFT_REPORT', 'THEFT_LIFT'] as const;
export type TheftPurpose = (typeof THEFT_PURPOSES)[number];
/** What a code in a text message can be for. From CONSENT on they go to a customer's own number and let nobody in: CONSENT, TERMS (new EMIs) and NUMBER (another number) open nothing at all. */
export const CODE_PURPOSES = [...PURPOSES, 'CONSENT', 'TERMS', 'NUMBER', ...THEFT_PURPOSES] as const;
export type CodePurpose = (typeof CODE_PURPOSES)[number];

export const LANGUAGES = ['en', 'hn', 'mr', 'gj', 'sp', 'bd', 'kn', 'tg', 'tm', 'pp'] as const;
export type Language = (typeof LANGUAGES)[number];
/** BCP 47 tags for `lang` and Intl. */
export const LANGUAGE_TAGS = {
  en: 'en',
  hn: 'hi',
  mr: 'mr',
  gj: 'gu',
  sp: 'es',
  bd: 'bn',
  kn: 'kn',
  tg: 'te',
  tm: 'ta',
  pp: 'pa',
} as const satisfies Record<Language, string>;

/**
 * Pictures of a customer that are kept. Of an Aadhaar card only one that shows no more than the last four digits (the card's own masked
 * form): the number itself is taken nowhere.
 */
export const DOCUMENT_TYPES = [
  'photo',
  'signature',
  'witness_signature',
  'aadhaar',
  'pan',
  'invoice',
  'other',
] as const;
export type DocumentType = (typeof DOCUMENT_TYPES)[number];
/** What is drawn by hand and must stay exact. */
export const isSignature = (type: DocumentType): boolean => type === 'signature' || type === 'witness_signature';

export const EDIT_ACTIONS = [
  'IMEI_EDIT',
  'EMI_EDIT',
  'EDIT_SIGNATURE',
  'EDIT_DOCUMENTS',
  'EMM_QR_CODE',
  'CHECK_STATUS',
] as const;
export type EditAction = (typeof EDIT_ACTIONS)[number];

/** How the app of an organisation is drawn: rows with room around them, or more of them on a screen. */
export const LAYOUTS = ['classic', 'compact'] as const;
/** The anti-hacking screen: all on one page, or one question after the other. */
export const ANTIHACKING_LAYOUTS = ['classic', 'steps'] as const;
export type Layout = (typeof LAYOUTS)[number];
export type AntihackingLayout = (typeof ANTIHACKING_LAYOUTS)[number];

/** Organisations in which a row click on an inactive customer only warns. */
export const INACTIVE_WARNING_ORGS = [35, 36, 46] as const;
export const DEFAULT_ORG_ID = 20;

/** What an organisation switches on. */
const FLAGS = ['witness_signature_layout', 'payment_gateway'] as const;
export type OrganisationFlag = (typeof FLAGS)[number];
/** One thing for each of them. */
export const flagsOf = <T>(of: T): Record<OrganisationFlag, T> =>
  Object.fromEntries(FLAGS.map((flag) => [flag, of])) as Record<OrganisationFlag, T>;
