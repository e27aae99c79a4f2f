import type { CustomerRow } from '@kist/contract/customers';
import { listPlace } from '#web/widgets/list-place.ts';

/** Where somebody stood in the list of customers. */
export const { keepPlace, placeOf } = listPlace<CustomerRow>('listCustomers');
