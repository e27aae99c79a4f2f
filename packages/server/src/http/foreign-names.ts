import { z } from 'zod';
import { SPEC_PARAMETERS } from '@kist/contract/spec-parameters';

type Named = Record<string, unknown>;

/** Names a schema takes, whichever of its branches has them. */
function namesOf(schema: z.ZodType): string[] {
  if (schema instanceof z.ZodObject) return Object.keys(schema.shape);
  if (schema instanceof z.ZodUnion) return schema.options.flatMap((option) => namesOf(option as z.ZodType));
  if (schema instanceof z.ZodPipe) return [schema.in, schema.out].flatMap((side) => namesOf(side as z.ZodType));
  return [];
}

/** The schema of a field, in whichever branch has it. */
function fieldOf(schema: z.ZodType, name: string): z.ZodType | undefined {
  if (schema instanceof z.ZodObject) return schema.shape[name] as z.ZodType | undefined;
  const parts =
    schema instanceof z.ZodUnion ? schema.options : schema instanceof z.ZodPipe ? [schema.in, schema.out] : [];
  return parts.map((part) => fieldOf(part as z.ZodType, name)).find((found) => found !== undefined);
}

const isNamed = (given: unknown): given is Named =>
  given !== null && typeof given === 'object' && !Array.isArray(given);

/** Where a body narrows many customers as the list's query does. */
const FILTER = 'filter';
/** How a list is turned over: whoever narrows an order with the query of a list sends these along. */
const PAGING = ['page_size', 'sort'] as const;

/** Two names of one thing: a product is a plan on sale, a retailer is somebody. Where a call takes the second, the first alone will do. */
const SAME = [
  ['product_id', 'plan_id'],
  ['retailer_id', 'user_id'],
] as const;

/**
 * Takes out of a part of a request what the specification names and this call has no use for, so that a client which sends it
 * everywhere is served. What the call does use, and what nobody knows, stays for its schema to judge. A body's `filter` is treated as the query of a list.
 * @param schema of that part; absent: the call takes nothing there
 * @param isQuery an address writes what is not set as `search=&from=`: there an empty value is none
 */
export function leaveUnused(schema: z.ZodType | undefined, isQuery: boolean): (given: unknown) => unknown {
  const filter = schema && !isQuery ? fieldOf(schema, FILTER) : undefined;
  const ofFilter = filter && dropUnused(filter, true, PAGING);
  const drop = dropUnused(schema, isQuery);
  return (given) => {
    const left = drop(given);
    if (!ofFilter || !isNamed(left) || !Object.hasOwn(left, FILTER)) return left;
    return { ...left, [FILTER]: ofFilter(left[FILTER]) };
  };
}

function dropUnused(
  schema: z.ZodType | undefined,
  isEmptyNone: boolean,
  more: readonly string[] = [],
): (given: unknown) => unknown {
  const used = new Set(schema ? namesOf(schema) : []);
  const unused = new Set<string>([...SPEC_PARAMETERS, ...more].filter((name) => !used.has(name)));
  const same = SAME.filter(([other, name]) => used.has(name) && !used.has(other));
  return (asked) => {
    if (!isNamed(asked)) return asked;
    const given = { ...asked };
    for (const [other, name] of same)
      if ((given[name] ?? '') === '' && Object.hasOwn(given, other)) given[name] = given[other];
    const isDropped = (name: string) => unused.has(name) || (isEmptyNone && used.has(name) && given[name] === '');
    if (!Object.keys(given).some(isDropped)) return given;
    return Object.fromEntries(Object.entries(given).filter(([name]) => !isDropped(name)));
  };
}
