import { readFileSync } from 'node:fs';
import * as audit from '#server/audit/audit.ts';
import { type Command, UsageError, orgOf, write } from './command.ts';
import { withData } from './data.ts';

const ALL_ROOTS = 100_000;
const KINDS = ['agreement', 'device', 'customer', 'user', 'organisation'] as const;

const told = (fault: audit.AuditFault): string => {
  switch (fault.fault) {
    case 'root_changed':
      return `The root of ${fault.day} does not follow from what is stored: histories or roots were rewritten.`;
    case 'root_unknown':
      return `The root of ${fault.day}, which you kept, is not here.`;
    case 'history_missing':
      return `${fault.kind} ${fault.id}: line ${fault.seq} is gone or another; the root of ${fault.day} knew it.`;
    case 'history_broken':
      return `${fault.kind} ${fault.id}: line ${fault.seq} does not fit.`;
  }
};

/** @returns roots by day, from a file that `kist audit roots` wrote or that was fetched from `/api/audit/roots`. @throws UsageError */
function keptRoots(file: string): Map<string, string> {
  try {
    const rows = JSON.parse(readFileSync(file, 'utf8')) as { day: string; root: string }[];
    return new Map(rows.map(({ day, root }) => [day, root]));
  } catch (error) {
    throw new UsageError(`${file} is not a list of roots: ${(error as Error).message}`);
  }
}

/** Everything of one organisation, or one history. */
async function verify([org, ...rest]: readonly string[]): Promise<boolean> {
  const orgId = orgOf(org);
  const [first, id] = rest;
  const file = first === '--kept' ? id : undefined;
  return withData(async ({ database }) => {
    if (first === undefined || first === '--kept') {
      const { faults } = await audit.checkAll(database, orgId, file === undefined ? undefined : keptRoots(file));
      for (const fault of faults) write(told(fault));
      write(faults.length === 0 ? 'Every root and every history fits.' : 'The audit does NOT fit.');
      return faults.length === 0;
    }
    const kind = KINDS.find((one) => one === first);
    if (!kind || id === undefined) throw new UsageError(`a history is one of ${KINDS.join(', ')}, and an id`);
    const answer = await database.read(orgId, (tx) => audit.verify(tx, kind, id));
    write(answer.ok ? 'Every line fits.' : `Line ${answer.bad_seq} does not fit.`);
    return answer.ok;
  });
}

/** What an auditor asks. */
export const auditCommands: Record<string, Command> = {
  audit: {
    usage: 'audit verify|roots ORG …',
    says: 'verify ORG [--kept FILE]: every root and history; verify ORG KIND ID: one history; roots ORG: the daily roots, to be kept elsewhere',
    run: async ([what, ...args]) => {
      if (what === 'verify') return verify(args);
      if (what !== 'roots') throw new UsageError('audit verify or audit roots');
      return withData(async ({ database }) => {
        const roots = await database.read(orgOf(args[0]), (tx) => audit.roots(tx, { limit: ALL_ROOTS }));
        write(JSON.stringify(roots, null, 1));
        return true;
      });
    },
  },
};
