/** Who moves a dispute: the customer (or whoever speaks in their name at the counter), the shop, the organisation's administrator. */
export const DISPUTE_PARTIES = ['customer', 'shop', 'organisation'] as const;
export type DisputeParty = (typeof DISPUTE_PARTIES)[number];

export const DISPUTE_STATES = ['open', 'undecided', 'answered', 'escalated', 'closed', 'rejected'] as const;
export type DisputeState = (typeof DISPUTE_STATES)[number];

/**
 * The life of a dispute about one instalment. `stops`: whether it keeps every level from rising and everything more from being taken, by people too:
 * as long as it stands there, for `LIMITS.disputeAnswerDays` from then on, or not at all. `to`: where it goes from here, and who takes it there. The
 * database holds the same table (`dispute_allowed_moves`).
 */
export const DISPUTES: Readonly<
  Record<
    DisputeState,
    {
      stops: 'always' | 'some_days' | 'never';
      to: Partial<Record<DisputeState, readonly DisputeParty[]>>;
    }
  >
> = {
  /** Waits for the shop's answer. */
  open: { stops: 'always', to: { answered: ['shop', 'organisation'] } },
  /** The customer's third about this instalment, or a later one: whether it holds is the organisation's to say. In doubt no lock. */
  undecided: { stops: 'always', to: { open: ['organisation'], rejected: ['organisation'] } },
  /** The customer can take it further for so many days. */
  answered: { stops: 'some_days', to: { escalated: ['customer', 'shop'] } },
  /** Waits for the organisation's answer; the shop has given its own. */
  escalated: { stops: 'always', to: { closed: ['organisation'] } },
  /** The organisation has answered. */
  closed: { stops: 'some_days', to: {} },
  /** It does not hold, says the organisation: it is no objection. */
  rejected: { stops: 'never', to: {} },
};

/** Where a dispute begins, and by whose word. The shop's is one in the customer's name, which the customer's own are not counted with. @internal for tests, which hold the database's table against it */
export const DISPUTE_BEGINS: Partial<Record<DisputeState, readonly DisputeParty[]>> = {
  open: ['customer', 'shop'],
  undecided: ['customer'],
};

/** So often a customer disputes the same instalment and is heard without asking anybody; after that the organisation decides. */
export const DISPUTES_HEARD = 2;

const those = (stops: 'always' | 'some_days'): DisputeState[] =>
  DISPUTE_STATES.filter((state) => DISPUTES[state].stops === stops);
/** They wait for somebody's word, and stop everything until it is said. */
export const WAITING_DISPUTES = those('always');
/** They have been answered, and stop everything for some days. */
export const RESTING_DISPUTES = those('some_days');
