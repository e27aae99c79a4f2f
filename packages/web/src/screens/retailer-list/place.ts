import type { ShopRow } from '@kist/contract/people';
import { listPlace } from '#web/widgets/list-place.ts';

/** Where somebody stood in the list of shops. */
export const { keepPlace, placeOf } = listPlace<ShopRow>('listUsers');
