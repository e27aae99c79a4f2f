import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { agentDisputeSchema, checkinRequestSchema, enrolRequestSchema } from './agent.ts';
import { emiTermsSchema } from './emi-terms.ts';
import type { Endpoint } from './endpoint.ts';
import { ENDPOINTS } from './endpoints.ts';
import { countSchema, dateSchema, detailsSchema, lineTextSchema, numberInQuery, textsSchema } from './fields.ts';
import { lockPolicySchema } from './lock-policy.ts';

/** What introspection reads of a zod 4 schema. */
interface Def {
  type: string;
  format?: string;
  checks?: {
    _zod: { def: { check: string; format?: string; maximum?: number; value?: number; inclusive?: boolean } };
  }[];
  [key: string]: unknown;
}
const defOf = (schema: unknown) => (schema as { _zod: { def: Def } })._zod.def;
const accepts = (schema: unknown, value: unknown) => (schema as z.ZodType).safeParse(value).success;

/** Wrappers that hold one schema each. */
const INNER: Record<string, string> = {
  optional: 'innerType',
  nullable: 'innerType',
  default: 'innerType',
  prefault: 'innerType',
  catch: 'innerType',
  readonly: 'innerType',
  nonoptional: 'innerType',
};
const FIXED = new Set(['enum', 'literal', 'boolean', 'null', 'undefined', 'never', 'transform']);
/** Beyond what any column of people's numbers holds, and what is no number to count with at all. */
const TOO_MUCH = [2 ** 51 + 1, -(2 ** 51) - 1, Number.MAX_SAFE_INTEGER];
const NOT_EXACT = [2 ** 53, -(2 ** 53), 1e308, -1e308, Infinity, NaN];
const WORST_DAYS = ['0000-01-01', '0001-01-01', '1899-12-31', '2100-01-01', '9999-12-31'];

const checksOf = (def: Def) => (def.checks ?? []).map((check) => check._zod.def);
const isLengthBound = (def: Def) =>
  checksOf(def).some(({ check }) => check === 'max_length' || check === 'length_equals' || check === 'max_size');
/** The pattern ends, and nothing in it goes on for ever. */
const hasFinitePattern = (schema: unknown) =>
  checksOf(defOf(schema)).some((def) => {
    const { source = '' } = (def as { pattern?: RegExp }).pattern ?? {};
    return /^\^.*\$$/s.test(source) && !/[*+]|\{\d+,\}/.test(source.replaceAll(/\\.|\[[^\]]*\]/g, 'c'));
  });

function faultOfText(schema: unknown): string | undefined {
  const def = defOf(schema);
  if (def.format === 'uuid') return undefined;
  if (def.format === 'date')
    return WORST_DAYS.some((day) => accepts(schema, day)) ? 'a date outside the calendar passes' : undefined;
  return isLengthBound(def) || hasFinitePattern(schema) ? undefined : 'text without a greatest length';
}

/** @returns every part of an input that lets more in than a column, a page or a process can hold. */
function faults(schema: unknown, path: string): string[] {
  const def = defOf(schema);
  const at = (fault: string | undefined) => (fault === undefined ? [] : [`${path}: ${fault}`]);
  const inner = INNER[def.type];
  if (inner !== undefined) return faults(def[inner], path);
  if (FIXED.has(def.type)) return [];
  switch (def.type) {
    case 'object':
      return [
        ...at(
          def['catchall'] !== undefined && defOf(def['catchall']).type === 'never' ? undefined : 'unknown fields pass',
        ),
        ...Object.entries(def['shape'] as object).flatMap(([key, child]) => faults(child, `${path}.${key}`)),
      ];
    case 'union':
      return (def['options'] as unknown[]).flatMap((option, index) => faults(option, `${path}|${index}`));
    case 'tuple':
      return (def['items'] as unknown[]).flatMap((item, index) => faults(item, `${path}.${index}`));
    case 'pipe':
      return [...faults(def['in'], path), ...(defOf(def['in']).type === 'transform' ? faults(def['out'], path) : [])];
    case 'array':
      return [
        ...at(isLengthBound(def) ? undefined : 'list without a greatest length'),
        ...faults(def['element'], `${path}[]`),
      ];
    case 'record':
      return at(faultOfRecord(schema));
    case 'string':
      return at(faultOfText(schema));
    case 'number':
      return at(isBoundedNumber(schema) ? undefined : 'number without bounds');
    default:
      return at(`a ${def.type} may be anything`);
  }
}

/** Within 2^51 both ways; a phone's own counters, `countSchema` itself, as far as integers go. */
const isBoundedNumber = (schema: unknown): boolean => {
  const worst = isCount(schema) ? NOT_EXACT : [...TOO_MUCH, ...NOT_EXACT];
  return !worst.some((value) => accepts(schema, value));
};
/** `countSchema` or one made from it: its greatest value is said, which a bare `z.int()` does not. */
const isCount = (schema: unknown): boolean =>
  checksOf(defOf(schema)).some(({ check, value }) => check === 'less_than' && value === Number.MAX_SAFE_INTEGER);

/** A record's bound is a rule of its own: it is tried, not read. */
function faultOfRecord(schema: unknown): string | undefined {
  const many = Object.fromEntries(Array.from({ length: 1001 }, (_none, index) => [`k${index}`, '']));
  let deep: unknown = 'x';
  for (let depth = 0; depth < 100; depth++) deep = { x: deep };
  const worst = [many, { x: 'x'.repeat(10_000) }, { x: deep }, { x: 1e308 }, { ['x'.repeat(500)]: 'x' }];
  return worst.some((value) => accepts(schema, value)) ? 'record without bounds' : undefined;
}

const inputs: [string, z.ZodType][] = Object.entries<Endpoint>(ENDPOINTS).flatMap(([name, endpoint]) =>
  (['params', 'query', 'body'] as const).flatMap((part): [string, z.ZodType][] => {
    const schema = endpoint[part];
    return schema ? [[`${name}.${part}`, schema]] : [];
  }),
);

describe('every number, date, text, list and record that comes in is bounded:', () => {
  test.each(inputs)('%s', (name, schema) => expect(faults(schema, name)).toEqual([]));
  test.each(
    Object.entries({ enrolRequestSchema, checkinRequestSchema, agentDisputeSchema, emiTermsSchema, lockPolicySchema }),
  )('%s', (name, schema) => expect(faults(schema, name)).toEqual([]));

  test('every path parameter of every call has its schema', () => {
    for (const [name, endpoint] of Object.entries<Endpoint>(ENDPOINTS)) {
      const named = [...endpoint.path.matchAll(/:(\w+)/g)].map(([, key]) => key);
      const described = endpoint.params ? Object.keys(defOf(endpoint.params)['shape'] as object) : [];
      expect([name, described]).toEqual([name, named]);
    }
  });

  test('the walk sees what is not bounded, however it is wrapped', () => {
    const unbounded = {
      int: z.int(),
      half: z.int().min(0),
      coerced: z.coerce.number(),
      inQuery: numberInQuery(z.int()).optional(),
      text: z.string(),
      email: z.email(),
      pattern: z.string().regex(/^[a-z]+$/),
      unanchored: z.string().regex(/x/),
      instant: z.iso.datetime(),
      day: z.iso.date(),
      list: z.array(z.boolean()),
      inner: z.array(z.int()).max(3),
      record: z.record(z.string(), z.string()),
      unknown: z.unknown().optional(),
      any: z.any().nullable(),
      loose: z.looseObject({}),
      stripped: z.object({}),
      union: z.union([z.literal(1), z.strictObject({ x: z.string() })]),
    };
    for (const [name, schema] of Object.entries(unbounded))
      expect([name, faults(schema, name).length]).toEqual([name, 1]);
  });

  test('and lets pass what is', () => {
    const bounded = {
      count: countSchema.min(1),
      int: z.int().min(0).max(5),
      text: lineTextSchema(5),
      pattern: z.string().regex(/^[a-z]{3}(\+91)?$/),
      day: dateSchema.optional(),
      list: z.array(z.enum(['a'])).max(3),
      details: detailsSchema.default({}),
      texts: textsSchema(10, 20),
    };
    for (const [name, schema] of Object.entries(bounded)) expect(faults(schema, name)).toEqual([]);
  });
});
