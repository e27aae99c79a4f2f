import type { LockScreen } from '@kist/contract/agent';
import { LOCK_REASONS, type LockReason } from '@kist/contract/lock-policy';
import { cleanMachineText } from '@kist/contract/text';
import { upiLink } from '@kist/contract/upi';
import type { FactRow } from './facts-store.ts';

const SHOP_LENGTH = 120;

type ScreenFacts = Pick<
  FactRow,
  | 'language'
  | 'shop'
  | 'shopPhone'
  | 'agreementNo'
  | 'overduePaise'
  | 'overdueCount'
  | 'oldestDueOn'
  | 'oldestDuePaise'
  | 'upiId'
>;

/**
 * Everything a person needs to be free again. A lock for its owner's sake names no debt: the two never speak for one another. Before the due day
 * (a lease looks ahead) the amount is that of the instalment to come.
 */
export function lockScreen(row: ScreenFacts, reason: LockReason): LockScreen {
  const isDebt = LOCK_REASONS[reason].basis === 'debt';
  const amountPaise = !isDebt ? 0 : row.overduePaise > 0 ? row.overduePaise : (row.oldestDuePaise ?? 0);
  // Older rows and the command line know nothing of the rule for names; a phone that is held shows this line to anybody.
  const payee = cleanMachineText(row.shop ?? '', SHOP_LENGTH);
  const agreementNo = row.agreementNo ?? '';
  return {
    language: row.language ?? 'en',
    shop: payee,
    shop_phone: row.shopPhone ?? '',
    agreement_no: agreementNo,
    amount_paise: amountPaise,
    due_since: isDebt ? row.oldestDueOn : null,
    instalments_due: isDebt ? Math.max(row.overdueCount, amountPaise > 0 ? 1 : 0) : 0,
    // The phone gives `tr` its mark, anew each time it shows the code: what is kept here stays the same while the debt does.
    upi_uri: row.upiId && amountPaise > 0 ? upiLink({ upiId: row.upiId, payee, amountPaise, agreementNo }, '') : null,
    reason,
  };
}
