import type { OutboxEntry } from './outbox.ts';

/**
 * Money that was taken here while what it was for was paid elsewhere or changed: once whoever took it says that it came, it goes to what is owed now, under its
 * own id, so that it counts once. Of several EMIs that is the sum that was taken, whatever they come to by now; and no late fee is named, of which nothing may be left.
 * @returns the call in place of the one that was refused; undefined where that would not help
 */
export function owedNow({ name, input, paise, error }: OutboxEntry): Pick<OutboxEntry, 'name' | 'input'> | undefined {
  const isMany = name === 'multipleEmiPaid';
  if (!isMany && name !== 'updateEmiStatus') return undefined;
  // Of one EMI a changed schedule is no reason to refuse.
  if (!['ALREADY_PAID', 'MORE_THAN_OWED', isMany && 'STATE_CONFLICT'].includes(error?.code ?? '')) return undefined;
  const { charge_id: _, ...asked } = input.body as Record<string, unknown>;
  const body = { ...asked, accept_overpayment: true };
  // An older app kept several without their sum.
  if (!isMany || paise === undefined) return { name, input: { ...input, body } };
  const { customer_id: __, instalment_ids, ...tender } = body as typeof body & { [id: string]: unknown };
  const [instalment_id] = instalment_ids as string[];
  return { name: 'updateEmiStatus', input: { ...input, body: { ...tender, instalment_id, amount: paise } } };
}
