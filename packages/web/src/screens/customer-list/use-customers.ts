import type { CustomerRow } from '@kist/contract/customers';
import { useSend } from '#web/api/use-send.ts';
import { pagedList, type Pages, usePages } from '#web/widgets/paged-list/use-pages.ts';
import type { Filters } from './filters.ts';

/** The customers of the shop, as they are read and left. */
export const customerList = pagedList<CustomerRow>('listCustomers', (row) => row.customer_id);

/** The customers that the filters find. */
export const useCustomers = (filters: Filters): Pages<CustomerRow> =>
  usePages(customerList, filters, useSend('listCustomers')[0]);
