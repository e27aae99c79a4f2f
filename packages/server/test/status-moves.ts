/** Tells a customer's change of status and makes it, by whatever runs `query` in one transaction. */
export async function moveStatus(
  query: (text: string, values: unknown[]) => Promise<unknown>,
  customerId: string,
  status: number,
): Promise<void> {
  await query(
    `insert into customer_moves (org_id, customer_id, no, from_status, to_status, moved_by, moved_at, reason)
     select c.org_id, c.customer_id, (select coalesce(max(m.no), 0) + 1 from customer_moves m where m.org_id = c.org_id and m.customer_id = c.customer_id),
       c.status, $2, c.owner_user_id, kist_now(), 'a test' from customers c where c.customer_id = $1`,
    [customerId, status],
  );
  await query('update customers set status = $2 where customer_id = $1', [customerId, status]);
}
