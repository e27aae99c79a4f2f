import type { LockScreen } from '@kist/contract/agent';
import { LOCK_REASONS, type LockReason } from '@kist/contract/lock-policy';
import { cleanMachineText } from '@kist/contract/text';
import type { FactRow } from './facts-store.ts';

const NAME_LENGTH = 50;
const SHOP_LENGTH = 120;

/** What UPI apps read from a link or QR; names with spaces as %20, the amount in rupees with two decimals. */
function upiUri(pay: { upiId: string; payee: string; amountPaise: number; agreementNo: string }): string {
  const tr = pay.agreementNo.replace(/[^A-Za-z0-9]/g, '').slice(0, 35);
  const parts: [string, string][] = [
    ['pn', pay.payee.slice(0, NAME_LENGTH).toWellFormed()],
    ['am', (pay.amountPaise / 100).toFixed(2)],
    ['cu', 'INR'],
    ['tr', tr],
    ['tn', `EMI ${pay.agreementNo}`],
  ];
  // A UPI id holds letters, digits, '.', '-', '_' and '@' only; apps want the '@' as it is.
  const query = parts.map(([name, value]) => `${name}=${encodeURIComponent(value)}`).join('&');
  return `upi://pay?pa=${pay.upiId.replace(/[^A-Za-z0-9.@_-]/g, '')}&${query}`;
}

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
    upi_uri: row.upiId && amountPaise > 0 ? upiUri({ upiId: row.upiId, payee, amountPaise, agreementNo }) : null,
    reason,
  };
}
