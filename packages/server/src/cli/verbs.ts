import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import { z } from 'zod';
import { KistError } from '@kist/contract/errors';
import { noteSchema } from '@kist/contract/fields';
import { LIMITS } from '@kist/contract/limits';
import type { Database, Operator } from '#server/platform/database.ts';
import { type Command, RefusedError, UsageError, orgOf, write } from './command.ts';
import { withData } from './data.ts';
import { assertOrganisation } from './known-organisation.ts';
import { complaint, said } from './words.ts';

/** What a verb works at: the data, and on request whoever runs the installation. */
export interface Desk {
  database: Database;
  openOperator(): Operator;
  settings: { publicUrl: string };
}

/** What was typed behind a verb. */
export interface Given {
  orgId: number;
  /** Words behind the organisation, by the names in the verb's `takes`. */
  words: Readonly<Record<string, string>>;
  text(name: string): string | undefined;
  texts(name: string): readonly string[];
  isSet(name: string): boolean;
  /** @throws UsageError where it is missing */
  need(name: string): string;
}

export interface Outcome {
  /** For a person, line by line. */
  lines: readonly string[];
  /** For a program: with `--json` this alone is printed. */
  data: unknown;
  /** false: what was looked at is not in order; the process ends with 1. */
  isInOrder?: boolean;
}

/** One verb of a noun: `kist org add`. */
export interface Verb {
  says: string;
  /** Words behind the verb. `ORG` is the organisation; one with `?` may be left out. */
  takes: readonly string[];
  options?: ParseArgsOptionsConfig;
  /** What each option is for, in the order in which they are told. */
  teaches?: Readonly<Record<string, string>>;
  /** A line that works as it stands. */
  example: string;
  /** It makes the organisation: there is none of this number before. */
  isNew?: boolean;
  run(desk: Desk, given: Given): Promise<Outcome>;
}
export type Verbs = Readonly<Record<string, Verb>>;

const COMMON = { json: { type: 'boolean' }, help: { type: 'boolean' } } as const satisfies ParseArgsOptionsConfig;

/** @returns a noun of the command line with its verbs, as one command. */
export function nounOf(noun: string, says: string, verbs: Verbs): Record<string, Command> {
  return {
    [noun]: {
      usage: `${noun} ${Object.keys(verbs).join('|')} …`,
      says: `${says} (${noun} --help)`,
      verbs,
      async run(args) {
        const asked = read(noun, verbs, args);
        if (typeof asked === 'string') {
          write(asked);
          return true;
        }
        const outcome = await withData((desk) => carryOut(desk, asked));
        write(asked.isJson ? JSON.stringify(outcome.data, null, 2) : outcome.lines.join('\n'));
        return outcome.isInOrder !== false;
      },
    },
  };
}

interface Asked {
  verb: Verb;
  given: Given;
  isJson: boolean;
}

/** @throws RefusedError, UsageError */
export async function carryOut(desk: Desk, { verb, given }: Pick<Asked, 'verb' | 'given'>): Promise<Outcome> {
  if (verb.takes.includes('ORG') && !verb.isNew) await assertOrganisation(desk.database, given.orgId);
  return verb.run(desk, given).catch(explain);
}

/** @returns what to run, or the help that was asked for. @throws UsageError which says what would be right */
export function read(noun: string, verbs: Verbs, [name, ...args]: readonly string[]): Asked | string {
  if (name === undefined || name === '--help' || name === 'help') return helpOf(noun, verbs);
  const verb = Object.hasOwn(verbs, name) ? verbs[name] : undefined;
  if (!verb) throw new UsageError(`kist ${noun} ${name}: no such thing.\n\n${helpOf(noun, verbs)}`);
  const { values, positionals } = parsed(noun, name, verb, args);
  if (values['help'] === true) return helpOfVerb(noun, name, verb);
  const words = positionalsOf(noun, name, verb, positionals);
  const one = (option: string) => {
    const value = values[option];
    return typeof value === 'string' ? value : undefined;
  };
  const given: Given = {
    orgId: words['ORG'] === undefined ? 0 : orgOf(words['ORG']),
    words,
    text: one,
    texts: (option) => (Array.isArray(values[option]) ? (values[option] as string[]) : []),
    isSet: (option) => values[option] === true,
    need(option) {
      const value = one(option);
      if (value === undefined) throw new UsageError(`--${option} is missing.\n\n${helpOfVerb(noun, name, verb)}`);
      return value;
    },
  };
  return { verb, given, isJson: values['json'] === true };
}

type Values = Readonly<Record<string, string | boolean | (string | boolean)[] | undefined>>;

function parsed(
  noun: string,
  name: string,
  verb: Verb,
  args: readonly string[],
): { values: Values; positionals: string[] } {
  try {
    return parseArgs({ args: [...args], options: { ...verb.options, ...COMMON }, allowPositionals: true });
  } catch (error) {
    throw new UsageError(`${(error as Error).message}\n\n${helpOfVerb(noun, name, verb)}`);
  }
}

function positionalsOf(noun: string, name: string, verb: Verb, positionals: readonly string[]): Record<string, string> {
  const needed = verb.takes.filter((word) => !word.endsWith('?')).length;
  if (positionals.length < needed || positionals.length > verb.takes.length)
    throw new UsageError(helpOfVerb(noun, name, verb));
  return Object.fromEntries(positionals.map((word, index) => [verb.takes[index]!.replace('?', ''), word]));
}

const lineOf = (noun: string, name: string, verb: Verb): string =>
  [`kist ${noun} ${name}`, ...verb.takes.map((word) => (word.endsWith('?') ? `[${word.slice(0, -1)}]` : word))].join(
    ' ',
  );

function helpOf(noun: string, verbs: Verbs): string {
  const lines = Object.entries(verbs).map(([name, verb]) => `  ${lineOf(noun, name, verb)}\n      ${verb.says}`);
  return [
    ...lines,
    '',
    'Each takes --help, and --json for programs. 0: done; 1: refused, or not in order; 2: typed wrongly.',
  ].join('\n');
}

function helpOfVerb(noun: string, name: string, verb: Verb): string {
  const options = Object.entries(verb.teaches ?? {}).map(([option, says]) => `  --${option.padEnd(24)} ${says}`);
  return [
    lineOf(noun, name, verb),
    `  ${verb.says}`,
    ...(options.length > 0 ? ['', ...options] : []),
    '',
    `  ${verb.example}`,
  ].join('\n');
}

/** What somebody reads, by the one rule for typed text. @throws UsageError */
export function wordsOf(given: Given, option: string): string {
  const words = noteSchema(LIMITS.reasonLengthMin).safeParse(given.need(option));
  if (!words.success) throw new UsageError(`--${option} is a sentence, ${LIMITS.noteLength} letters at most`);
  return words.data;
}

/** foreign_key_violation. */
const NO_SUCH_ROW = '23503';

/** unique_violation. */
const TAKEN = '23505';

/**
 * A refusal of a service, or of the database, as a person can use it.
 * @param done what there is to say of what was done before it
 */
export function explain(error: unknown, done = 'Nothing was changed.'): never {
  if (error instanceof z.ZodError) {
    const wrong = error.issues.map((issue) => complaint(issue, 'what was said'));
    throw new RefusedError(`Refused: ${wrong.join('; ')}. ${done}`, 'INVALID_INPUT');
  }
  const { code, constraint = '' } = error as { code?: string; constraint?: string };
  if (code === NO_SUCH_ROW && /^[a-z_]+_org_id_fkey$/.test(constraint))
    throw new RefusedError(`Refused: there is no organisation of this number (kist org list). ${done}`, 'NOT_FOUND');
  if (code === TAKEN && constraint.startsWith('org_directory'))
    throw new RefusedError(
      `Refused: another organisation has this ${constraint.includes('host') ? 'host' : 'short name'}. ${done}`,
      'STATE_CONFLICT',
    );
  if (!(error instanceof KistError)) throw error;
  const { internal, fields = [], details } = error.options;
  const places = fields.map(({ path, key, params }) => `${path}: ${said(key, params)}`);
  const why = [internal, ...places, details && JSON.stringify(details)].filter(Boolean).join('; ');
  throw new RefusedError(`Refused: ${error.code}${why && `: ${why}`}. ${done}`, error.code);
}
