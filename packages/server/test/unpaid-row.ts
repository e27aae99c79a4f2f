import { paise } from '@kist/contract/money';
import type { InstalmentState } from '#server/agreements/agreements.ts';

/** A row of a schedule of which nothing is paid; what is not given of it is nothing. */
export const unpaidRow = (
  row: Pick<InstalmentState, 'no' | 'due_on'> &
    Partial<Pick<InstalmentState, 'interest_paise' | 'principal_paise' | 'fee_paise'>>,
): InstalmentState => ({
  interest_paise: paise(0),
  principal_paise: paise(0),
  fee_paise: paise(0),
  paid_interest_paise: paise(0),
  paid_principal_paise: paise(0),
  paid_fee_paise: paise(0),
  paid_on: null,
  ...row,
});
