import type { Language, Layout } from '@kist/contract/codes';
import { TOKENS } from '@kist/contract/tokens';
import type { Tx } from '#server/platform/database.ts';
import { type Reading, isHost } from './directory.ts';
import { type Configuration, type DirectoryRow, wholeOf } from './store.ts';

/** Used until an organisation chose its own. */
export const DEFAULT_ACCENT = TOKENS.light.accent;

/** As which organisation the app shows itself: its name on the page and the home screen, its colour, how it is drawn. */
export interface Brand {
  orgId: number;
  slug: string;
  name: string;
  accent: string;
  layout: Layout;
  languages: readonly Language[];
  /** Which logo it is; null: its initials stand in its place. */
  logo: string | null;
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
  if (!org) return undefined;
  const { theme, layout, languages } = org;
  return {
    orgId: row.org_id,
    slug: row.slug,
    name: nameOf(org),
    accent: theme.accent ?? DEFAULT_ACCENT,
    layout,
    languages,
    logo: theme.logo ?? null,
  };
}

/** What an organisation calls itself to strangers, whom they ask there, and where its people log in. */
export async function addressOf(
  tx: Tx,
  publicUrl: string,
): Promise<Pick<Configuration, 'languages' | 'support'> & { name: string; loginUrl: string }> {
  const org = await wholeOf.one(tx, {});
  const { host, slug, languages, support } = org;
  const loginUrl = host === null ? `${publicUrl}/login?org=${slug}` : `https://${host}/login`;
  return { name: nameOf(org), languages, support, loginUrl };
}

const nameOf = (org: Configuration): string => org.ai_name || org.org_name || org.company_name;

const rowOf = (known: readonly DirectoryRow[], { host, slug, defaultOrgId }: Asked): DirectoryRow | undefined =>
  known.find((row) => isHost(row, host)) ??
  known.find((row) => row.slug === slug) ??
  known.find((row) => row.org_id === defaultOrgId);
