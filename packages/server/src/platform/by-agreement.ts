/** Rows by their agreement, each group in the order given. */
export function byAgreement<Row extends { agreement_id: string }>(rows: readonly Row[]): Map<string, Row[]> {
  const groups = new Map<string, Row[]>();
  for (const row of rows) {
    const group = groups.get(row.agreement_id);
    if (group) group.push(row);
    else groups.set(row.agreement_id, [row]);
  }
  return groups;
}
