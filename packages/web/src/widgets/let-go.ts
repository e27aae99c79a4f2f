import type { CustomerProfile } from '@kist/contract/customers';

/** There is no phone any more that could be set up; another may come in its place. */
export const isLetGo = ({ device }: Pick<CustomerProfile, 'device'>): boolean => Boolean(device?.released_at);
