let userType: string | undefined;

/** Who is signed in, by the server's word; undefined: nobody. */
export const learnUserType = (type: string | undefined): void => void (userType = type);

/** They have one page, and no lists. */
export const isCustomer = (): boolean => userType === 'customer';

const ASKED = {
  retailer: 'states.ask_distributor',
  miniretailer: 'states.ask_retailer',
  admin: 'states.ask_company',
} as const;
type AskKey = (typeof ASKED)[keyof typeof ASKED] | 'states.no_permission_body';

/** @returns the key of the sentence that names who gives the access words: to a retailer the distributor, to a mini-retailer the retailer, to an administrator the company. */
export const askKey = (): AskKey =>
  Object.hasOwn(ASKED, userType ?? '') ? ASKED[userType as keyof typeof ASKED] : 'states.no_permission_body';

/** @returns the key of the sentence that names who gives keys: nobody buys them in the app. The distributor grants them, a retailer passes them on. */
export const askKeysKey = (): 'states.keys_distributor' | 'states.keys_retailer' =>
  userType === 'miniretailer' ? 'states.keys_retailer' : 'states.keys_distributor';
