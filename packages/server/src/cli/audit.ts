import * as audit from '#server/audit/audit.ts';
import * as reports from '#server/reports/reports.ts';
import { fileOf, verifyFile, writeExport } from './audit-file.ts';
import { type Command, UsageError } from './command.ts';
import { bytesOf, jsonOf } from './named-file.ts';
import { type Desk, type Given, type Outcome, type Verbs, nounOf } from './verbs.ts';

const ALL_ROOTS = 100_000;
const KINDS = ['agreement', 'device', 'customer', 'user', 'organisation'] as const;

const kindOf = (word: string | undefined): audit.AuditKind => {
  const kind = KINDS.find((one) => one === word);
  if (!kind) throw new UsageError(`a history is one of ${KINDS.join(', ')}, and an id`);
  return kind;
};

/** @returns roots by day, from a file that `kist audit roots` wrote or that was fetched from the published ones. @throws UsageError */
export function keptRoots(file: string): Map<string, string> {
  const read = jsonOf(file) as Kept[] | { roots: Kept[] } | null;
  const roots = Array.isArray(read) ? read : read?.roots;
  if (!Array.isArray(roots) || !roots.every((one) => typeof one?.day === 'string' && typeof one.root === 'string'))
    throw new UsageError(`${file} is not a list of roots, as "kist audit roots" writes it`);
  return new Map(roots.map(({ day, root }) => [day, root]));
}
type Kept = Pick<audit.Root, 'day' | 'root'>;

const HASH = /^[0-9a-f]{64}$/;
/** A mail of one root, with all that its ways put before it. */
const MAIL_BYTES = 2 ** 20;

/** Roots of one mail: by their day where the mail says it, and those of which it only says that they were. */
interface MailedRoots {
  byDay: Map<string, string>;
  dayless: string[];
}

/**
 * @param given a root itself, or a file: a mail of the day's root as it was saved, or just its text
 * @throws UsageError where nothing of it is a root of this organisation
 */
function mailedRoots(given: string, orgId: number): MailedRoots {
  const word = given.trim().toLowerCase();
  if (HASH.test(word)) return { byDay: new Map(), dayless: [word] };
  // Saved mails keep the form in which they crossed the network: a long line broken in two with "=" at its end.
  const text = textOf(given).replaceAll(/=\r?\n/g, '');
  const line = (name: string) => new RegExp(`^[> ]*${name}: *(\\S+)`, 'mi').exec(text)?.[1]?.toLowerCase();
  const [root, day, before, organisation] = ['Root', 'Day', 'Before', 'Organisation'].map(line);
  if (!root || !HASH.test(root))
    throw new UsageError(`${given} is neither a root (64 letters and digits) nor a mail with one.`);
  if (organisation !== undefined && organisation !== String(orgId))
    throw new UsageError(`This is a root of organisation ${organisation}, not of ${orgId}.`);
  const isDated = day !== undefined && /^\d{4}-\d{2}-\d{2}$/.test(day);
  return {
    byDay: new Map(isDated ? [[day, root]] : []),
    dayless: [...(isDated ? [] : [root]), ...(before && HASH.test(before) ? [before] : [])],
  };
}

function textOf(file: string): string {
  try {
    return bytesOf(file, MAIL_BYTES).toString('utf8');
  } catch (error) {
    throw new UsageError(`${(error as Error).message}, and it is no root (64 letters and digits).`);
  }
}

/** Of nobody there is nothing that could be in order: a number that was typed wrong, or another organisation's. */
const isWhole = ({ missing, bad_seq, lines }: reports.VerifiedHistory): boolean =>
  missing.length === 0 && bad_seq === null && lines > 0;

/** What is wrong with one history, sentence by sentence. */
function told(history: reports.VerifiedHistory): string[] {
  const { kind, id, lines, missing, bad_seq, rooted_on } = history;
  const name = `${kind} ${id}`;
  const gone = missing.map(({ from_seq, to_seq, known_on }) => {
    const which =
      lines === 0 && from_seq === 1
        ? `the whole history is gone, ${to_seq} line${to_seq === 1 ? '' : 's'}`
        : from_seq === to_seq
          ? `line ${from_seq} is gone`
          : `lines ${from_seq} to ${to_seq} are gone`;
    return `MISSING ${name}: ${which}${known_on ? `; the root of ${known_on} knew of it` : ''}.`;
  });
  if (gone.length > 0) return gone;
  if (lines === 0 && bad_seq === null)
    return [`NOTHING ${name}: no line and no root of this organisation knows of it.`];
  if (bad_seq !== null) return [`CHANGED ${name}: line ${bad_seq} does not fit.`];
  return [
    `ok      ${name}: ${lines} lines, ${rooted_on ? `the last root over it is of ${rooted_on}` : 'no root yet'}.`,
  ];
}

const outcomeOf = (histories: readonly reports.VerifiedHistory[]): Outcome => ({
  lines: histories.flatMap(told),
  data: { histories },
  isInOrder: histories.length > 0 && histories.every(isWhole),
});

/** Everything of one organisation: faults of roots by their day, histories that do not fit by exactly what is missing. */
async function everything({ database }: Desk, { orgId, text }: Given): Promise<Outcome> {
  const file = text('kept');
  const root = text('root');
  const mailed = root === undefined ? undefined : mailedRoots(root, orgId);
  const kept = new Map([...(file === undefined ? [] : keptRoots(file)), ...(mailed?.byDay ?? [])]);
  const { faults } = await audit.checkAll(database, orgId, kept);
  const standing = mailed ? await whereTheyStand(database, orgId, mailed) : { lines: [], unknown: [], isThere: true };
  const subjects = new Map<string, { kind: string; id: string }>();
  for (const fault of faults) if ('id' in fault) subjects.set(`${fault.kind} ${fault.id}`, fault);
  const histories: reports.VerifiedHistory[] = [];
  for (const { kind, id } of subjects.values())
    histories.push(await database.read(orgId, (tx) => reports.verifiedHistory(tx, kindOf(kind), id)));
  const lines = faults.flatMap((fault) => {
    if (fault.fault === 'root_changed')
      return [
        `CHANGED root of ${fault.day}: it does not follow from what is stored; histories or roots were rewritten.`,
      ];
    if (fault.fault === 'root_unknown') return [`MISSING root of ${fault.day}, which you kept.`];
    return [];
  });
  // A line whose number fits and whose words a root knew otherwise is neither missing nor badly linked.
  const rewritten = faults.filter(
    (fault) => 'id' in fault && histories.some((one) => one.id === fault.id && isWhole(one)),
  );
  const isInOrder = faults.length === 0 && standing.isThere;
  return {
    lines: [
      ...standing.lines,
      ...lines,
      ...histories.filter((one) => !isWhole(one)).flatMap(told),
      ...rewritten.map(
        (fault) => 'id' in fault && `CHANGED ${fault.kind} ${fault.id}: line ${fault.seq} is another than a root knew.`,
      ),
      isInOrder ? 'Every root and every history fits.' : 'The audit does NOT fit.',
    ].filter((line) => line !== false),
    data: { faults, histories, ...(mailed && { unknown_roots: standing.unknown }) },
    isInOrder,
  };
}

/** Whether the roots of a mail are among those that are stored. */
async function whereTheyStand(database: Desk['database'], orgId: number, { byDay, dayless }: MailedRoots) {
  const lines: string[] = [];
  const unknown: string[] = [];
  for (const root of [...byDay.values(), ...dayless]) {
    const day = await database.read(orgId, (tx) => audit.dayOfRoot(tx, root));
    if (day !== undefined) lines.push(`ok      root ${root}: stored, of ${day}.`);
    else {
      unknown.push(root);
      lines.push(`MISSING root ${root}: no day of this organisation has it; it was deleted or rewritten.`);
    }
  }
  return { lines, unknown, isThere: unknown.length === 0 };
}

async function verify(desk: Desk, given: Given): Promise<Outcome> {
  const { orgId, words } = given;
  const imei = given.text('phone');
  if (imei !== undefined) {
    const histories = await desk.database.read(orgId, (tx) => reports.verifiedPhone(tx, imei));
    const outcome = outcomeOf(histories);
    return histories.length > 0 ? outcome : { ...outcome, lines: ['No phone of this organisation bears that number.'] };
  }
  if (words['KIND'] === undefined) return everything(desk, given);
  const kind = kindOf(words['KIND']);
  const id = words['ID'];
  if (id === undefined) throw new UsageError(`a history is one of ${KINDS.join(', ')}, and an id`);
  return outcomeOf([await desk.database.read(orgId, (tx) => reports.verifiedHistory(tx, kind, id))]);
}

/** What an auditor asks. */
export const auditVerbs: Verbs = {
  verify: {
    says: 'every root and every history of an organisation, or one history, or all of a phone; says exactly what is missing and ends with 1. "audit verify FILE" does it with a file of "audit export", without a database',
    takes: ['ORG', 'KIND?', 'ID?'],
    options: { phone: { type: 'string' }, kept: { type: 'string' }, root: { type: 'string' } },
    teaches: {
      phone: 'IMEI: the histories of this phone, its customer and its agreements',
      kept: 'FILE: roots that you kept elsewhere, as "audit roots" or the public page gave them',
      root: 'FILE or ROOT: a mail of the day’s root as you saved it, or the root alone',
    },
    example: 'kist audit verify 20 --phone 356938035643809 --json',
    run: verify,
  },
  export: {
    says: 'every line with what proves it, and every root, into a file of JSON lines that "audit verify FILE" checks anywhere',
    takes: ['ORG', 'FILE'],
    example: 'kist audit export 20 audit-20.jsonl',
    run: ({ database }, { orgId, words }) => writeExport(database, orgId, words['FILE']!),
  },
  roots: {
    says: 'the daily roots, as JSON, to be kept where nobody who runs this server can change them',
    takes: ['ORG'],
    example: 'kist audit roots 20 > roots.json',
    async run({ database }, { orgId }) {
      const roots = await database.read(orgId, (tx) => audit.roots(tx, { limit: ALL_ROOTS }));
      return { lines: [JSON.stringify(roots, null, 1)], data: roots };
    },
  },
};

const { audit: noun } = nounOf('audit', 'what proves that nothing was taken out of the histories', auditVerbs);

export const auditCommands: Record<string, Command> = {
  audit: { ...noun!, run: (args) => (fileOf(args) === undefined ? noun!.run(args) : verifyFile(args, keptRoots)) },
};
