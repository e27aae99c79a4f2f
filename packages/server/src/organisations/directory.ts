import { KistError } from '@kist/contract/errors';
import type { Database } from '#server/platform/database.ts';
import { type Configuration, type DirectoryRow, configurationOf, directory } from './store.ts';

/**
 * What a process remembers of the organisations for a moment: every request and every page asks for them, and they change once a year.
 * A failed read is nobody's answer: it is asked again.
 */
export interface OrganisationMemory {
  /** @param maxAgeMs how old the answer may be */
  directory(db: Reading, maxAgeMs?: number): Promise<readonly DirectoryRow[]>;
  configuration(db: Reading, orgId: number): Promise<Configuration | undefined>;
  /** How soon a name that was not known is looked for again. */
  readonly missMs: number;
}

declare module '#server/platform/ports.ts' {
  interface Ports {
    organisations: OrganisationMemory;
  }
}

export type Reading = Pick<Database, 'read' | 'unscoped' | 'ports'>;

/** What a request says about its organisation. */
export interface NamedOrganisation {
  tokenOrg: number | undefined;
  host: string;
  slug: string | undefined;
  defaultOrgId: number;
}

/** A new organisation, name, colour or host is known to every process within this time. */
const KEPT_MS = 10_000;
/** Strangers may ask for names that do not exist as often as they like: the directory is read for them once a second. */
const MISS_MS = 1000;

export function rememberOrganisations({ missMs = MISS_MS }: { missMs?: number } = {}): OrganisationMemory {
  const kept = new Map<string, { readAtMs: number; value: Promise<unknown> }>();
  function remembered<T>(key: string, maxAgeMs: number, read: () => Promise<T>): Promise<T> {
    const known = kept.get(key);
    if (known && Date.now() - known.readAtMs <= maxAgeMs) return known.value as Promise<T>;
    const mine = { readAtMs: Date.now(), value: read() };
    kept.set(key, mine);
    mine.value.catch(() => {
      if (kept.get(key) === mine) kept.delete(key);
    });
    return mine.value;
  }
  return {
    directory: (db, maxAgeMs = KEPT_MS) =>
      remembered('directory', maxAgeMs, () => db.unscoped((tx) => directory.all(tx, {}))),
    configuration: (db, orgId) =>
      remembered(`organisation ${orgId}`, KEPT_MS, () => db.read(orgId, (tx) => configurationOf.first(tx, {}))),
    missMs,
  };
}

/**
 * Whom a request is for: the organisation of its token, else of its host name, else of its `x-org` slug, else the installation's own.
 * @throws KistError ORGANISATION_UNKNOWN when the slug names none, or the installation's own was never set up: no row may be written for it
 */
export function ofRequest(db: Reading, { tokenOrg, host, slug, defaultOrgId }: NamedOrganisation): Promise<number> {
  return find(
    db,
    (known) =>
      known.find((row) => row.org_id === tokenOrg) ??
      known.find((row) => isHost(row, host)) ??
      known.find((row) => (slug === undefined ? row.org_id === defaultOrgId : row.slug === slug)),
  );
}

/** @throws KistError ORGANISATION_UNKNOWN */
export async function assertKnown(db: Reading, orgId: number): Promise<void> {
  await find(db, (known) => known.find((row) => row.org_id === orgId));
}

/** A host as it is kept: one name, whatever its letters, and also where it is written whole, with the dot of the root behind it. */
export const plainHost = (host: string): string => host.toLowerCase().replace(/\.$/, '');

export const isHost = (row: DirectoryRow, host: string): boolean => row.host?.toLowerCase() === plainHost(host);

/** Whether a host name is this organisation's own, where its pages are served. */
export const isHostOf = async (db: Reading, orgId: number, host: string): Promise<boolean> =>
  (await db.ports.organisations.directory(db)).some((row) => row.org_id === orgId && isHost(row, host));

/** One that was made a moment ago is found: what is not known is looked for again. */
async function find(
  db: Reading,
  wanted: (known: readonly DirectoryRow[]) => DirectoryRow | undefined,
): Promise<number> {
  const memory = db.ports.organisations;
  const found = wanted(await memory.directory(db)) ?? wanted(await memory.directory(db, memory.missMs));
  if (!found) throw new KistError('ORGANISATION_UNKNOWN');
  return found.org_id;
}
