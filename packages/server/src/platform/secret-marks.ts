import type { Client } from 'pg';
import { type KeyRing, hmacSha256, sha256 } from './crypto.ts';
import { OperatorError } from './operator-error.ts';
import type { SigningKey } from './signing-key.ts';

/** What must not be lost: no copy of it lies in the database. */
export interface Secrets {
  /** Goes into every M-PIN and code hash. */
  pepper: Buffer;
  keys: KeyRing;
  agentKey: SigningKey;
}

/** What one secret is known by in the database: a check value that reveals nothing about it. */
export interface SecretMark {
  name: string;
  mark: string;
}

const LABEL = 'kist check value of a secret';
const KEY = /^sealing_key_(\d+)$/;
const sealingKey = (version: number): string => `sealing_key_${version}`;

/** The check values of the secrets that are there. */
export function marksOf({ pepper, keys, agentKey }: Partial<Secrets>): SecretMark[] {
  const keyed = (name: string, secret: Uint8Array) => ({ name, mark: hmacSha256(secret, LABEL, name).toString('hex') });
  return [
    ...(pepper ? [keyed('pepper', pepper)] : []),
    ...[...(keys?.keys ?? [])].map(([version, key]) => keyed(sealingKey(version), key)),
    ...(agentKey ? [{ name: 'agent_key', mark: sha256(agentKey.spki).toString('hex') }] : []),
  ];
}

/** Secrets are missing or others than the database was made with. Nothing was touched. */
export class SecretsMismatchError extends OperatorError {
  override readonly name = 'SecretsMismatchError';
  constructor(problems: readonly string[]) {
    super(
      `These are not the secrets that this database was made with: ${problems.join('; ')}. Sealed documents would stay closed, right M-PINs would count as wrong, and phones would believe nothing. Nothing was touched. Put the secrets back from your copy of kist.env and agent-key.pem (of a demo: kist-secret-pepper, kist-secret-key, agent-key.pem), or point KIST_DATA_DIR or DATABASE_URL at the database they belong to.`,
    );
  }
}

/** Secrets are new to the database, and this process cannot note them. */
export class SecretsNotNotedError extends OperatorError {
  override readonly name = 'SecretsNotNotedError';
  constructor(names: readonly string[]) {
    super(
      `The database does not know these secrets yet: ${names.map(spoken).join('; ')}. Start once with KIST_OWNER_URL, the account that owns the tables.`,
    );
  }
}

/** What the database knows its secrets by: nothing when it is new, or older than this. @param client any account that serves; nothing is written */
export async function notedMarks(client: Pick<Client, 'query'>): Promise<SecretMark[]> {
  const { rows: known } = await client.query<{ there: boolean }>(
    `select to_regclass('public.secret_marks') is not null as there`,
  );
  if (!known[0]?.there) return [];
  return (await client.query<SecretMark>('select name, mark from secret_marks order by name')).rows;
}

/**
 * Every secret that is noted must be there and be the same; new ones (a further sealing key) may stand beside them.
 * @throws SecretsMismatchError
 */
export function assertSameSecrets(noted: readonly SecretMark[], given: readonly SecretMark[]): void {
  const marks = new Map(given.map(({ name, mark }) => [name, mark]));
  const problems = noted.flatMap(({ name, mark }) => {
    const found = marks.get(name);
    if (found === mark) return [];
    return [`${spoken(name)} is ${found === undefined ? 'missing' : 'another one'}`];
  });
  if (problems.length > 0) throw new SecretsMismatchError(problems);
}

/**
 * Whether what is sealed under the first key of a ring will be opened by every process: a start noted that key, and the ring leaves none out.
 * @throws SecretsMismatchError
 */
export function isKnownRing(noted: readonly SecretMark[], keys: KeyRing): boolean {
  const ofKeys = noted.filter(({ name }) => KEY.test(name));
  assertSameSecrets(ofKeys, marksOf({ keys }));
  return ofKeys.some(({ name }) => name === sealingKey(keys.current));
}

/** @throws SecretsNotNotedError */
export function assertNoted(noted: readonly SecretMark[], given: readonly SecretMark[]): void {
  const unknown = given.map(({ name }) => name).filter((name) => noted.every((mark) => mark.name !== name));
  if (unknown.length > 0) throw new SecretsNotNotedError(unknown);
}

/** Notes what is not noted yet; what is, stays. @param client the owner's, or a transaction of kist_operator */
export async function noteMarks(
  client: { query(text: string, values: unknown[]): Promise<unknown> },
  marks: readonly SecretMark[],
): Promise<void> {
  await client.query(
    'insert into secret_marks (name, mark) select * from unnest($1::text[], $2::text[]) on conflict do nothing',
    [marks.map(({ name }) => name), marks.map(({ mark }) => mark)],
  );
}

/** As whoever keeps the settings knows it. */
function spoken(name: string): string {
  const version = KEY.exec(name)?.[1];
  if (version !== undefined) return `key ${version} of KIST_SECRET_KEY`;
  return name === 'pepper' ? 'KIST_SECRET_PEPPER' : 'the agent signing key (KIST_AGENT_KEY_FILE)';
}
