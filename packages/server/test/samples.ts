import type { z } from 'zod';
import { imei } from './factories.ts';

/** What introspection reads of a zod 4 schema. */
interface Def {
  type: string;
  [key: string]: unknown;
}
const defOf = (schema: unknown) => (schema as { _zod: { def: Def } })._zod.def;
const accepts = (schema: unknown, value: unknown) => (schema as z.ZodType).safeParse(value).success;

/** One parameter of a call: where it stands and what it must be. */
export interface Leaf {
  path: (string | number)[];
  schema: unknown;
}

/** The schema inside optional, default, pipes and the like. */
function unwrap(schema: unknown): unknown {
  const def = defOf(schema);
  if (def['innerType'] !== undefined) return unwrap(def['innerType']);
  if (def.type === 'pipe') return unwrap(defOf(def['in']).type === 'transform' ? def['out'] : def['in']);
  return schema;
}

/** The shapes that a call takes: the branches of a union, else the schema itself. */
export function variantsOf(schema: z.ZodType): z.ZodType[] {
  const def = defOf(unwrap(schema));
  return def.type === 'union' ? (def['options'] as z.ZodType[]) : [schema];
}

/** @returns every parameter of an input, objects and lists included, outermost first. */
export function leavesOf(schema: unknown, path: (string | number)[] = []): Leaf[] {
  const inner = unwrap(schema);
  const def = defOf(inner);
  const self = path.length > 0 ? [{ path, schema }] : [];
  switch (def.type) {
    case 'object':
      return [
        ...self,
        ...Object.entries(def['shape'] as object).flatMap(([key, child]) => leavesOf(child, [...path, key])),
      ];
    case 'array':
      return [...self, ...leavesOf(def['element'], [...path, 0])];
    case 'union':
      return [...self, ...leavesOf((def['options'] as unknown[])[0], path).slice(1)];
    case 'record':
      return [...self, { path: [...path, 'x'], schema: def['valueType'] }];
    default:
      return self;
  }
}

const UUID = '01890a5d-ac96-774b-bcce-b302099a8057';
const TEXTS = [
  'Asha',
  '1',
  UUID,
  '35391805',
  '9876501234',
  '123456',
  '1234',
  '411001',
  '2026-11-20',
  '2026-11-20T10:00:00+05:30',
  'ABCDE1234F',
  imei(90_001),
  'asha@example.in',
  'photo',
  'retailer',
  'x'.repeat(24),
  'x'.repeat(43),
  '10:30',
];
const NUMBERS = [1, 0, 6, 100, 1000, 100_000];

/** Which optional parameters an input has: every one, or those alone that stand on the way to one place. */
export type Optionals = 'all' | { to: readonly (string | number)[] };
const isGiven = (optionals: Optionals, key: string, schema: unknown): boolean =>
  optionals === 'all' || optionals.to[0] === key || !accepts(schema, undefined);
const below = (optionals: Optionals, key: string | number): Optionals =>
  optionals === 'all' ? 'all' : { to: optionals.to[0] === key ? optionals.to.slice(1) : [] };

/**
 * An input that the schema accepts.
 * @param known values by the parameter's name, tried first
 */
export function sampleOf(
  schema: unknown,
  known: Record<string, unknown>,
  optionals: Optionals = 'all',
  name = '',
): unknown {
  if (name in known && accepts(schema, known[name])) return known[name];
  const inner = unwrap(schema);
  const def = defOf(inner);
  switch (def.type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(def['shape'] as object)
          .filter(([key, child]) => isGiven(optionals, key, child))
          .map(([key, child]) => [key, sampleOf(child, known, below(optionals, key), key)]),
      );
    case 'array':
      return [sampleOf(def['element'], known, below(optionals, 0), name.replace(/s$/, ''))];
    case 'union':
      return sampleOf((def['options'] as unknown[])[0], known, optionals, name);
    case 'enum':
      return Object.values(def['entries'] as object)[0];
    case 'literal':
      return (def['values'] as unknown[])[0];
    case 'boolean':
      return false;
    case 'record':
      return {};
    case 'unknown':
      return null;
    default:
      return [...TEXTS, ...NUMBERS].find((value) => accepts(schema, value));
  }
}

/** The same input with one place taken by something else. */
export function withAt(root: unknown, path: readonly (string | number)[], value: unknown): unknown {
  const [key, ...rest] = path;
  if (key === undefined) return value;
  if (Array.isArray(root)) return root.map((item, index) => (index === key ? withAt(item, rest, value) : item));
  return { ...(root as object), [key]: withAt((root as Record<string, unknown> | undefined)?.[key], rest, value) };
}
