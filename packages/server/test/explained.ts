import type { QueryResult, QueryResultRow } from 'pg';
import type { Tx } from '#server/platform/database.ts';

interface Plan {
  'Node Type': string;
  'Relation Name'?: string;
  'Actual Rows': number;
  'Actual Loops': number;
  'Rows Removed by Filter'?: number;
  'Rows Removed by Index Recheck'?: number;
  'Rows Removed by Join Filter'?: number;
  Plans?: Plan[];
}

/** A table of fewer rows is read from end to end by right. */
const MANY = 50;

/** What a statement did. */
export interface Cost {
  text: string;
  /** Rows that scans of tables looked at, those too that a filter threw away. */
  rowsRead: number;
  /** Those of them for which the table itself was gone to, not an index alone. */
  rowsVisited: number;
  /** Rows that any step of the plan handled: what grows with the square shows here. */
  rowsHandled: number;
  /** Tables of which very many rows were read without an index. */
  wholeTables: string[];
}

/** @returns a transaction like this one, which explains each statement it is asked, and what they cost so far */
export function explained(tx: Tx): { tx: Tx; costs: Cost[] } {
  const costs: Cost[] = [];
  const query = async <Row extends QueryResultRow>(
    text: string,
    values?: readonly unknown[],
  ): Promise<QueryResult<Row>> => {
    const { rows } = await tx.query<{ 'QUERY PLAN': [{ Plan: Plan }] }>(
      `explain (analyze, costs off, timing off, format json) ${text}`,
      values,
    );
    costs.push(costOf(text, rows[0]!['QUERY PLAN'][0].Plan));
    return tx.query<Row>(text, values);
  };
  const { orgId, ports } = tx;
  return {
    tx: { orgId, ports, query, afterCommit: (hint) => tx.afterCommit(hint) },
    costs,
  };
}

function costOf(text: string, plan: Plan): Cost {
  const cost: Cost = { text, rowsRead: 0, rowsVisited: 0, rowsHandled: 0, wholeTables: [] };
  const visit = (node: Plan): void => {
    const removed =
      (node['Rows Removed by Filter'] ?? 0) +
      (node['Rows Removed by Index Recheck'] ?? 0) +
      (node['Rows Removed by Join Filter'] ?? 0);
    const handled = (node['Actual Rows'] + removed) * node['Actual Loops'];
    cost.rowsHandled += handled;
    if (node['Relation Name'] !== undefined) cost.rowsRead += handled;
    if (node['Relation Name'] !== undefined && node['Node Type'] !== 'Index Only Scan') cost.rowsVisited += handled;
    if (node['Relation Name'] !== undefined && node['Node Type'] === 'Seq Scan' && handled > MANY)
      cost.wholeTables.push(node['Relation Name']);
    for (const child of node.Plans ?? []) visit(child);
  };
  visit(plan);
  return cost;
}
