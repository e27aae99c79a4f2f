let userType: string | undefined;

/** Who is signed in, by the server's word; undefined: nobody. */
export const learnUserType = (type: string | undefined): void => void (userType = type);

/** They have one page, and no lists. */
export const isCustomer = (): boolean => userType === 'customer';

/** @returns the key of the sentence that names who gives the access words: to a retailer the distributor, to a mini-retailer the retailer. */
export function askKey(): 'states.ask_distributor' | 'states.ask_retailer' | 'states.no_permission_body' {
  if (userType === 'retailer') return 'states.ask_distributor';
  return userType === 'miniretailer' ? 'states.ask_retailer' : 'states.no_permission_body';
}

/** @returns the key of the sentence that names who gives keys: nobody buys them in the app. The distributor grants them, a retailer passes them on. */
export const askKeysKey = (): 'states.keys_distributor' | 'states.keys_retailer' =>
  userType === 'miniretailer' ? 'states.keys_retailer' : 'states.keys_distributor';
