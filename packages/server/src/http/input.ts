import { KistError, type KistErrorOptions } from '@kist/contract/errors';
import type { z } from 'zod';

type Fields = NonNullable<KistErrorOptions['fields']>;

/** Nothing the contract describes is nested deeper; it also bounds the walk below. */
const maxDepth = 16;

/**
 * Decodes one part of a request with its schema.
 * @throws KistError INVALID_INPUT with one entry for each wrong, missing or unknown field; NOT_FOUND when nothing is wrong but ids of things, which
 * no thing can have: the answer to an id that nobody has
 */
export function parseInput<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  refuseUnstorable(value);
  // Each complaint with the value it is about: a field may stand under another name than in what was sent (the contract's form-names.ts).
  const result = schema.safeParse(value, { reportInput: true });
  if (result.success) return result.data;
  const fields = result.error.issues.flatMap((issue) => fieldsOf(issue)).slice(0, 50);
  if (
    fields.every(
      ({ path, key }) => key === NO_ID && !IN_LIST.test(path) && namesSomething(valueAt(value, path.split('.'))),
    )
  )
    throw new KistError('NOT_FOUND', { cause: result.error });
  throw new KistError('INVALID_INPUT', { fields });
}

/** What `idSchema` says of a value that is no id. */
const NO_ID = 'field.id';
/** Of many, the one that is meant has to be said. */
const IN_LIST = /\.\d+(\.|$)/;
/** A word or a number in an id's place; nothing, and what no client could mean as an id, is a mistake of the form. */
const namesSomething = (value: unknown): boolean =>
  typeof value === 'number' || (typeof value === 'string' && value.trim() !== '');

/**
 * Decodes the parameters of an address. What cannot be an id, or is no order, names nothing, so it is not found, like an id that nobody has.
 * @throws KistError NOT_FOUND
 */
export function parseAddress<S extends z.ZodType>(schema: S, value: unknown): z.output<S> {
  try {
    return parseInput(schema, value);
  } catch (error) {
    throw new KistError('NOT_FOUND', { cause: error });
  }
}

/**
 * PostgreSQL keeps neither NUL in text nor half a surrogate pair in jsonb: such a string would come back as its error, so it never gets in.
 */
function refuseUnstorable(root: unknown): void {
  const queue: { value: unknown; path: string; depth: number }[] = [{ value: root, path: '', depth: 0 }];
  for (let item = queue.pop(); item; item = queue.pop()) {
    const { value, path, depth } = item;
    if (typeof value === 'string') {
      if (!isStorable(value)) throw invalidField(path);
    } else if (value !== null && typeof value === 'object') {
      if (depth === maxDepth) throw invalidField(path);
      for (const [key, child] of Object.entries(value)) {
        if (!isStorable(key)) throw invalidField(path);
        queue.push({ value: child, path: path ? `${path}.${key}` : key, depth: depth + 1 });
      }
    }
  }
}

/**
 * The same without what PostgreSQL does not keep: such characters are left out, names that hold them go with what they name, and so does what lies too
 * deep. For what a machine says, which is heard whatever it says.
 */
export function withoutUnstorable(value: unknown, depth = 0): unknown {
  if (typeof value === 'string') return isStorable(value) ? value : value.replaceAll('\0', '').replace(/\p{Cs}/gu, '');
  if (value === null || typeof value !== 'object') return value;
  if (depth === maxDepth) return null;
  if (Array.isArray(value)) return value.map((child) => withoutUnstorable(child, depth + 1));
  return Object.fromEntries(
    Object.entries(value)
      .filter(([key]) => isStorable(key))
      .map(([key, child]) => [key, withoutUnstorable(child, depth + 1)]),
  );
}

const isStorable = (text: string): boolean => !text.includes('\0') && text.isWellFormed();

const invalidField = (path: string) =>
  new KistError('INVALID_INPUT', { fields: [{ path: path.slice(0, 200), key: 'field.invalid' }] });

function fieldsOf(issue: z.core.$ZodIssue): Fields {
  const path = issue.path.map(String).join('.');
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({
      path: (path ? `${path}.${key}` : key).toWellFormed().slice(0, 200),
      key: 'field.unknown',
    }));
  if (issue.code === 'invalid_union' && issue.errors.length > 0) {
    // The branch with the fewest complaints is the one that was meant.
    const nearest = issue.errors.reduce((best, branch) => (branch.length < best.length ? branch : best));
    const nested = nearest.flatMap((inner) => fieldsOf({ ...inner, path: [...issue.path, ...inner.path] }));
    if (nested.length > 0) return nested;
  }
  return [{ path, ...keyOf(issue) }];
}

/** A rule over several fields is about the one it names, all others about their value. */
const isMissing = ({ code, input, path }: z.core.$ZodIssue): boolean =>
  (code === 'custom' && isFields(input) ? valueAt(input, path.slice(-1)) : input) === undefined;
const isFields = (value: unknown) => value !== null && typeof value === 'object' && !Array.isArray(value);

function keyOf(issue: z.core.$ZodIssue): { key: string; params?: Record<string, string | number> } {
  if (isMissing(issue)) return { key: 'field.required' };
  // The contract's own message is a locale key.
  if (/^field\.\w+$/.test(issue.message)) return { key: issue.message, ...limitOf(issue) };
  switch (issue.code) {
    case 'too_small':
      if (issue.origin === 'string' || issue.origin === 'array')
        return Number(issue.minimum) === 1
          ? { key: 'field.required' }
          : { key: 'field.too_short', params: { min: Number(issue.minimum) } };
      return { key: 'field.too_small', params: { min: Number(issue.minimum) } };
    case 'too_big':
      return {
        key: issue.origin === 'string' || issue.origin === 'array' ? 'field.too_long' : 'field.too_large',
        params: { max: Number(issue.maximum) },
      };
    case 'invalid_value':
      return { key: 'field.choice' };
    default:
      return { key: 'field.invalid' };
  }
}

function limitOf(issue: z.core.$ZodIssue): { params: Record<string, number> } | undefined {
  if (issue.code === 'too_big') return { params: { max: Number(issue.maximum) } };
  if (issue.code === 'too_small') return { params: { min: Number(issue.minimum) } };
  // A rule of the contract that counts by itself brings its limit along.
  if (issue.code === 'custom' && typeof issue.params?.['max'] === 'number')
    return { params: { max: issue.params['max'] } };
  return undefined;
}

function valueAt(root: unknown, path: readonly PropertyKey[]): unknown {
  let value = root;
  for (const key of path) {
    if (value === null || typeof value !== 'object' || !Object.hasOwn(value, key)) return undefined;
    value = (value as Record<PropertyKey, unknown>)[key];
  }
  return value;
}
