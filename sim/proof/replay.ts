import type pg from 'pg';

/**
 * Where each payment of an agreement has to stand, reckoned anew from terms, charges and the payments that stand alone, in the order of value days: the charge
 * that it names; what is due, oldest first, interest before principal before fee; then penal charges made by then; then what is not due yet. Written from the rule, not from the
 * product; the schedule's first version only.
 * @returns each bucket that is stored otherwise
 */
export async function replayed(client: pg.Client, orgId: number): Promise<string[]> {
  const { rows } = await client.query<{ id: string; rows: Row[]; charges: Charge[]; payments: Payment[] }>(
    `select g.agreement_id as id,
       (select json_agg(json_build_object('no', i.no, 'due', i.due_on, 'interest', i.interest_paise, 'principal', i.principal_paise, 'fee', i.fee_paise,
          'paid', json_build_array(i.paid_interest_paise, i.paid_principal_paise, i.paid_fee_paise)) order by i.due_on, i.no)
        from instalments i where i.org_id = g.org_id and i.agreement_id = g.agreement_id) as rows,
       (select coalesce(json_agg(json_build_object('id', c.charge_id, 'on', c.charged_on, 'left', c.amount_paise - c.waived_paise, 'paid', c.paid_paise)
          order by c.charged_on, c.charge_id), '[]') from charges c where c.org_id = g.org_id and c.agreement_id = g.agreement_id and c.taken_back_at is null) as charges,
       (select coalesce(json_agg(json_build_object('id', p.payment_id, 'on', p.paid_on, 'paise', p.amount_paise, 'for', p.for_charge_id) order by p.paid_on, p.payment_id), '[]')
        from payments p where p.org_id = g.org_id and p.agreement_id = g.agreement_id and p.state = 'posted' and p.goes_to = 'dues') as payments
     from agreements g where g.org_id = $1 and g.schedule_version = 1 and exists (select from instalments i where i.org_id = g.org_id and i.agreement_id = g.agreement_id)`,
    [orgId],
  );
  return rows.flatMap(({ id, ...book }) => layOut(book).map((wrong) => `agreement ${id}: ${wrong}`));
}

interface Row {
  no: number;
  due: string;
  interest: number;
  principal: number;
  fee: number;
  /** Interest, principal, fee. */
  paid: [number, number, number];
}
interface Charge {
  id: string;
  on: string;
  left: number;
  paid: number;
}
interface Payment {
  id: string;
  on: string;
  paise: number;
  /** The charge that it names: filled first, while it stands. */
  for: string | null;
}

/** Something that takes money, and what has been taken. */
interface Jar {
  name: string;
  holds: number;
  stored: number;
  taken: number;
  /** Money of a day fills it in its turn by the one or the other. */
  since: string;
  kind: 'row' | 'charge';
}

function layOut({ rows, charges, payments }: { rows: Row[]; charges: Charge[]; payments: Payment[] }): string[] {
  const jar = (name: string, holds: number, stored: number, since: string, kind: Jar['kind']): Jar => ({
    name,
    holds,
    stored,
    taken: 0,
    since,
    kind,
  });
  const jars = [
    ...rows.flatMap(({ no, due, interest, principal, fee, paid }) => [
      jar(`interest of ${no}`, interest, paid[0], due, 'row'),
      jar(`principal of ${no}`, principal, paid[1], due, 'row'),
      jar(`fee of ${no}`, fee, paid[2], due, 'row'),
    ]),
    ...charges.map(({ id, on, left, paid }) => jar(`charge ${id}`, left, paid, on, 'charge')),
  ];
  for (const { on, paise, for: named } of payments) {
    let left = paise;
    const isTime = (one: Jar) => one.since <= on;
    const inTurn = [
      ...jars.filter((one) => one.name === `charge ${named}`),
      ...jars.filter((one) => one.kind === 'row' && isTime(one)),
      ...jars.filter((one) => one.kind === 'charge' && isTime(one)),
      ...jars.filter((one) => one.kind === 'row' && !isTime(one)),
      ...jars.filter((one) => one.kind === 'charge' && !isTime(one)),
    ];
    for (const one of inTurn) {
      const taken = Math.min(left, one.holds - one.taken);
      one.taken += taken;
      left -= taken;
    }
  }
  return jars
    .filter(({ taken, stored }) => taken !== stored)
    .map(({ name, taken, stored }) => `${name} has ${stored}, a replay gives ${taken}`);
}
