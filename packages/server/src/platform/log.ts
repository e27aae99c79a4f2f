import { pino } from 'pino';
import type { DestinationStream, Logger } from 'pino';
import { LOG_KEYS, REDACTED_NAMES } from './log-keys.ts';
import type { LogFields } from './log-keys.ts';

type Write = (fields: LogFields, message: string) => void;

/** Structured log: known field names only, the message a constant sentence without values. */
export interface Log {
  debug: Write;
  info: Write;
  warn: Write;
  error: Write;
  /** A log whose every line carries these fields. */
  with(fields: LogFields): Log;
}

export type LogLevel = 'silent' | 'error' | 'warn' | 'info' | 'debug';

/** JSON lines on standard output, or on `destination`. */
export function createLog(level: LogLevel, destination?: DestinationStream): Log {
  const serializers = { err: (cleaned: unknown) => cleaned }; // pino's own would take what cleanError made for an error
  const logger = pino({ level, base: null, timestamp: pino.stdTimeFunctions.isoTime, serializers }, destination);
  return wrap(logger, {});
}

function wrap(logger: Logger, common: LogFields): Log {
  const writer =
    (level: 'debug' | 'info' | 'warn' | 'error'): Write =>
    (fields, message) => {
      if (logger.isLevelEnabled(level)) logger[level](cleanFields({ ...common, ...fields }), cleanText(message));
    };
  return {
    debug: writer('debug'),
    info: writer('info'),
    warn: writer('warn'),
    error: writer('error'),
    with: (fields) => wrap(logger, { ...common, ...fields }),
  };
}

const hidden = '[hidden]';
const maxDepth = 6;

/** Top-level names come from LOG_KEYS, where each is known to be harmless; below them any name may turn up. */
function cleanFields(fields: LogFields): Record<string, unknown> {
  const clean: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(fields)) {
    if (value !== undefined) clean[name] = name in LOG_KEYS ? cleanValue(value, 0) : hidden;
  }
  return clean;
}

function cleanValue(value: unknown, depth: number): unknown {
  if (typeof value === 'string') return cleanText(value);
  if (typeof value === 'bigint') return String(value);
  if (typeof value !== 'object' || value === null) return value;
  if (value instanceof Error) return cleanError(value, depth);
  if (value instanceof Date) return value;
  if (value instanceof Uint8Array || depth >= maxDepth) return hidden;
  if (Array.isArray(value)) return value.map((item) => cleanValue(item, depth + 1));
  return Object.fromEntries(
    Object.entries(value).map(([name, item]) => [name, isPrivate(name) ? hidden : cleanValue(item, depth + 1)]),
  );
}

/** PostgreSQL's `detail` and `where` quote rows and parameters, so of an error only these parts are kept. */
function cleanError(error: Error, depth: number): Record<string, unknown> {
  const { code, constraint } = error as Error & { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: cleanMessage(error.message),
    code: typeof code === 'string' ? cleanText(code) : undefined,
    constraint,
    // A stack repeats the message; only its places are wanted.
    stack: error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .map(cleanText),
    cause: error.cause === undefined || depth >= maxDepth ? undefined : cleanValue(error.cause, depth + 1),
  };
}

/** `customer_id` and `publicKeyId` are fine, `customer_name` and `mobileNumber` are not: a private word as a whole part of the name. */
function isPrivate(name: string): boolean {
  const parts = name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/);
  if (parts.at(-1) === 'id' || parts.at(-1) === 'hash') return false;
  const whole = parts.join('');
  return REDACTED_NAMES.some(
    (word) => parts.includes(word) || parts.includes(`${word}s`) || whole.startsWith(word) || whole.endsWith(word),
  );
}

/** What may stay although it is long or has many digits: UUIDs and instants. Tried before the private shapes. */
const harmless = /\b[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}\b|\b\d{4}-\d{2}-\d{2}(?:T[\d:.]+Z)?/;
const privateShapes = [
  /[\w.%+-]+@[\w.-]+/, // e-mail, UPI address
  /\b(?:otp|mpin|pin|password|token|code)\b\W{1,3}\w+/, // a word of warning and what follows it
  /\+?\d(?:[ -]?\d){5,}/, // mobile, Aadhaar, IMEI, account, six-digit code, in groups or not
  /\b[A-Z]{5}\d{4}[A-Z]\b/, // PAN
  /(?=[\w-]*\d)(?=[\w-]*[A-Za-z])[\w-]{32,}/, // token, hash, key
];
const anyShape = new RegExp(`(${harmless.source})|${privateShapes.map((shape) => shape.source).join('|')}`, 'gi');

function cleanText(text: string): string {
  return text.replaceAll(anyShape, (match: string, kept: string | undefined) => (kept === match ? match : hidden));
}

/** V8 and PostgreSQL quote the input they choke on; of what is quoted only names of tables, columns, constraints stay. */
function cleanMessage(message: string): string {
  const unquoted = message.replaceAll(/(["'`])(.*?)\1/gs, (quoted: string, _mark: string, inner: string) =>
    /^[a-z]+(?:_[a-z0-9]+)+$/.test(inner) ? quoted : hidden,
  );
  return cleanText(unquoted);
}
