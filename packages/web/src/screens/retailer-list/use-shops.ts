import type { ShopState } from '@kist/contract/codes';
import type { ShopRow } from '@kist/contract/people';
import { useSend } from '#web/api/use-send.ts';
import { pagedList, type Pages, usePages } from '#web/widgets/paged-list/use-pages.ts';

/** What the list is narrowed by; it lives in the address. */
export interface Filters {
  search: string;
  state: ShopState;
}

/** The shops below, as they are read and left. */
export const shopList = pagedList<ShopRow>('listUsers', (row) => row.user_id);

/** The shops that the filters find; another day reads them anew too, for what came in today is of that one then. */
export const useShops = (filters: Filters): Pages<ShopRow> => usePages(shopList, filters, useSend('listUsers')[0]);
