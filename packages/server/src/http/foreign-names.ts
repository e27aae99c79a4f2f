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

/**
 * Takes out of a part of a request what the specification names and this call has no use for, so that a client which sends it
 * everywhere is served. What the call does use, and what nobody knows, stays for its schema to judge.
 * @param schema of that part; absent: the call takes nothing there
 * @param isQuery an address writes what is not set as `search=&from=`: there an empty value is none
 */
export function leaveUnused(schema: z.ZodType | undefined, isQuery: boolean): (given: unknown) => unknown {
  const used = new Set(schema ? namesOf(schema) : []);
  const unused = new Set<string>(SPEC_PARAMETERS.filter((name) => !used.has(name)));
  return (given) => {
    if (given === null || typeof given !== 'object' || Array.isArray(given)) return given;
    const isDropped = (name: string) =>
      unused.has(name) || (isQuery && used.has(name) && (given as Named)[name] === '');
    if (!Object.keys(given).some(isDropped)) return given;
    return Object.fromEntries(Object.entries(given).filter(([name]) => !isDropped(name)));
  };
}
