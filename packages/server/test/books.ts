/** What may change in a row of the books once it is written, by table; nothing of them is ever deleted or emptied. Written apart from the migrations. */
export const MAY_CHANGE: Readonly<Record<string, readonly string[]>> = {
  accounts: [],
  agreement_moves: [],
  agreements: [
    'state',
    'oldest_due_on',
    'oldest_due_paise',
    'outstanding_paise',
    'paid_count',
    'advance_paise',
    'completed_at',
    'version',
  ],
  audit_heads: ['seq', 'hash'],
  audit_lines: [],
  audit_root_heads: [],
  audit_roots: [],
  charges: ['paid_paise', 'waived_paise', 'taken_back_at', 'taken_back_for'],
  consents: [],
  counters: ['last'],
  instalments: ['paid_principal_paise', 'paid_interest_paise', 'paid_fee_paise', 'paid_on'],
  journal_lines: [],
  journals: [],
  key_balances: [],
  payment_moves: [],
  payments: ['state', 'reversed_at', 'reversed_by', 'reverse_reason', 'held_reference', 'note_no'],
  refund_tasks: ['state', 'closed_at', 'closed_by', 'method', 'reference'],
  schedule_versions: [],
  waivers: ['state', 'decided_by', 'decided_at'],
  wallets: ['available', 'reserved'],
};

/** The tables that guard themselves. */
export const GUARDED = Object.keys(MAY_CHANGE);
