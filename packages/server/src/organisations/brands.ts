import type { Database } from '#server/platform/database.ts';
import { type DirectoryRow, type Organisation, readDirectory, readOrganisation } from './store.ts';

/** Used until an organisation chose its own (the app's tokens.css). */
export const defaultAccent = '#3538a6';

/** As which organisation the app shows itself: its name on the page and the home screen, its colour. */
export interface Brand {
  orgId: number;
  slug: string;
  name: string;
  accent: string;
}

/** By what a page is asked for: the host it stands under, else a slug. */
export interface Asked {
  host: string;
  slug: string | undefined;
  defaultOrgId: number;
}

/** @returns undefined for an organisation that was not set up: the page then has no name at all. */
export type BrandOf = (asked: Asked) => Promise<Brand | undefined>;

/** A new name or colour is on every page within this time. */
const keptMs = 10_000;

const nameOf = (org: Organisation): string => org.aiName || org.orgName || org.companyName;

function rowOf(known: readonly DirectoryRow[], { host, slug, defaultOrgId }: Asked): DirectoryRow | undefined {
  return (
    known.find((row) => row.host !== null && row.host.toLowerCase() === host.toLowerCase()) ??
    known.find((row) => row.slug === slug) ??
    known.find((row) => row.orgId === defaultOrgId)
  );
}

/** Pages are asked for far more often than organisations change their names: each answer is kept for a moment, failures are not. */
export function createBrands(db: Pick<Database, 'read' | 'unscoped'>): BrandOf {
  const kept = new Map<string, { atMs: number; value: Promise<unknown> }>();
  function remembered<T>(key: string, read: () => Promise<T>): Promise<T> {
    const known = kept.get(key);
    if (known && Date.now() - known.atMs < keptMs) return known.value as Promise<T>;
    const value = read();
    kept.set(key, { atMs: Date.now(), value });
    value.catch(() => kept.delete(key));
    return value;
  }
  return async (asked) => {
    const row = rowOf(await remembered('directory', () => db.unscoped(readDirectory)), asked);
    if (!row) return undefined;
    const org = await remembered(`org ${row.orgId}`, () => db.read(row.orgId, readOrganisation));
    return org && { orgId: row.orgId, slug: row.slug, name: nameOf(org), accent: org.theme.accent ?? defaultAccent };
  };
}
