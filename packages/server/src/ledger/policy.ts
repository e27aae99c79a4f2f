import type { Actor } from '#server/identity/identity.ts';

/** Who answers for the organisation as a whole: the server itself and its administrator. */
const OF_THE_ORGANISATION: readonly string[] = ['system', 'admin'];

/** Whose books a user may read: the organisation's, those of the shops it stands above (ids), or none. */
export function booksScope({ userType, visibleOwnerIds }: Actor): 'organisation' | 'none' | readonly string[] {
  if (OF_THE_ORGANISATION.includes(userType)) return 'organisation';
  return userType === 'retailer' || userType === 'miniretailer' ? visibleOwnerIds : 'none';
}
