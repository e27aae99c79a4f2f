import { TOKENS } from '@kist/contract/tokens';
import { type Reading, isHost } from './directory.ts';
import type { Configuration, DirectoryRow } from './store.ts';

/** Used until an organisation chose its own. */
export const DEFAULT_ACCENT = TOKENS.light.accent;

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
export async function brandOf(db: Reading, asked: Asked): Promise<Brand | undefined> {
  const memory = db.ports.organisations;
  const row = rowOf(await memory.directory(db), asked);
  const org = row && (await memory.configuration(db, row.org_id));
  return org && { orgId: row.org_id, slug: row.slug, name: nameOf(org), accent: org.theme.accent ?? DEFAULT_ACCENT };
}

const nameOf = (org: Configuration): string => org.ai_name || org.org_name || org.company_name;

const rowOf = (known: readonly DirectoryRow[], { host, slug, defaultOrgId }: Asked): DirectoryRow | undefined =>
  known.find((row) => isHost(row, host)) ??
  known.find((row) => row.slug === slug) ??
  known.find((row) => row.org_id === defaultOrgId);
