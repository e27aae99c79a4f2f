import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { ReadableStream as WebReadable } from 'node:stream/web';
import { setTimeout as wait } from 'node:timers/promises';
import type { AwsClient } from 'aws4fetch';
import { type Blobs, TooManyBytesError, assertKey, bytesOf, isKey } from './blobs.ts';

/** A bucket of whoever speaks S3, by path: `endpoint/bucket/key`. */
export interface S3Settings {
  endpoint: string;
  bucket: string;
  region: string;
  accessKeyId: string;
  secretAccessKey: string;
}

/** How often and how long a request is tried; tests cannot wait for the real ones. */
export interface S3Patience {
  tries: number;
  timeoutMs: number;
  firstWaitMs: number;
  /** Keys of a list that one answer brings. */
  page: number;
}
const PATIENCE: S3Patience = { tries: 4, timeoutMs: 10_000, firstWaitMs: 200, page: 1000 };

/** What the bucket said, or that it said nothing; never a key, and no address with one. */
class S3Error extends Error {
  override readonly name = 'S3Error';
  /** S3's own word (`NoSuchBucket`, `SignatureDoesNotMatch`), of the line (`ECONNREFUSED`, `TIMEOUT`, `BROKEN`), or of what lies there (`TOO_LONG`, `ALTERED`). */
  readonly code: string;
  /** The bucket did not answer, or said that it is busy: asked later it may. */
  readonly isAway: boolean;
  constructor(code: string, { isAway = false, ...options }: ErrorOptions & { isAway?: boolean } = {}) {
    super(`the bucket of the pictures: ${code}`, options);
    this.code = code;
    this.isAway = isAway;
  }
}

/** Whether what lies there is not what was put there by us, and came as it lies there. */
export const isNotAsPut = (error: unknown): boolean =>
  error instanceof S3Error && ['TOO_LONG', 'ALTERED'].includes(error.code);

/** Whether the bucket is to be had later, other than one that refuses us. */
export const isBucketAway = (error: unknown): boolean => error instanceof S3Error && error.isAway;

/** What is to be looked at, by what the bucket says. */
const TO_MEND: readonly [RegExp, string][] = [
  [
    /^(NoSuchBucket|InvalidBucketName)$/,
    'KIST_S3_BUCKET names none that is there: make it, or name the one in which the pictures lie',
  ],
  [
    /^(AccessDenied|AllAccessDisabled|AccountProblem)$/,
    'the account of KIST_S3_ACCESS_KEY_ID must be allowed to list the bucket, and to get, put and delete what lies in it',
  ],
  [
    /^(SignatureDoesNotMatch|InvalidAccessKeyId|InvalidToken|ExpiredToken)$/,
    'KIST_S3_ACCESS_KEY_ID and KIST_S3_SECRET_ACCESS_KEY are not, or no more, those of one account there',
  ],
  [/^RequestTimeTooSkewed$/, 'the clock of this machine is wrong'],
  [
    /^(PermanentRedirect|TemporaryRedirect|AuthorizationHeaderMalformed|IllegalLocationConstraintException)$/,
    'KIST_S3_ENDPOINT and KIST_S3_REGION are not those of the bucket',
  ],
];

/** @returns what an operator must mend where the bucket answers and refuses us, for the log; undefined for anything else */
export function bucketRefusal(error: unknown): string | undefined {
  if (!(error instanceof S3Error) || error.isAway || isNotAsPut(error)) return undefined;
  const [, mend = 'look at KIST_S3_ENDPOINT, KIST_S3_BUCKET and their account'] =
    TO_MEND.find(([codes]) => codes.test(error.code)) ?? [];
  return `the bucket of the pictures refuses (${error.code}): ${mend}. No picture is kept or opened until then.`;
}

interface Asked {
  method: 'GET' | 'PUT' | 'DELETE';
  /** Behind the bucket, with its query. */
  path: string;
  body?: Buffer;
  headers?: Record<string, string>;
}
interface Answer {
  status: number;
  headers: Headers;
  body: Buffer;
}

/** Digest that was sent along with a file, which comes back with it. */
const DIGEST = 'x-amz-meta-sha256';
/** Worth asking again: the server is busy, or the line broke. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);
const NOT_FOUND = 404;
/** No file of ours and no page of a list comes near it. */
const MOST_BYTES = 16 * 1024 * 1024;

/**
 * Files in a bucket. A file is sent whole, with digests that the server checks what came against, and checked against its own when it is read; what does
 * not answer is asked again, after waits that grow. The program that signs requests is loaded with the first of them.
 */
export function createS3Blobs(settings: S3Settings, patience: S3Patience = PATIENCE): Blobs {
  const ask = asking(settings, patience);
  const pathOf = (key: string): string => {
    assertKey(key);
    return `/${key}`;
  };
  return {
    place: { setting: 'KIST_S3_BUCKET', kind: 'bucket', at: `${settings.endpoint}/${settings.bucket}` },
    async put(key, bytes) {
      const path = pathOf(key);
      const body = bytes instanceof Readable ? await bytesOf(bytes) : Buffer.from(bytes);
      const sha256 = createHash('sha256').update(body).digest('hex');
      const md5 = createHash('md5').update(body).digest();
      const headers = { 'content-md5': md5.toString('base64'), 'x-amz-content-sha256': sha256, [DIGEST]: sha256 };
      assertOk(
        await ask({ method: 'PUT', path, body, headers }, (answer) => (isKept(answer, md5) ? undefined : broken())),
      );
    },
    async get(key) {
      const answer = await ask({ method: 'GET', path: pathOf(key) }, wholeness());
      if (isMissing(answer)) return undefined;
      assertOk(answer);
      return Readable.from([answer.body], { objectMode: false });
    },
    async delete(key) {
      const answer = await ask({ method: 'DELETE', path: pathOf(key) });
      if (!isMissing(answer)) assertOk(answer);
    },
    async *list(prefix) {
      assertKey(prefix);
      let after: string | undefined;
      do {
        const search = new URLSearchParams({ 'list-type': '2', prefix: `${prefix}/`, 'max-keys': `${patience.page}` });
        if (after !== undefined) search.set('continuation-token', after);
        const answer = await ask({ method: 'GET', path: `?${search.toString()}` });
        assertOk(answer);
        const page = answer.body.toString();
        for (const [, key = ''] of page.matchAll(/<Key>([^<]*)<\/Key>/g)) if (isOurs(key, prefix)) yield key;
        after = tokenIn(page);
      } while (after !== undefined);
    },
  };
}

/** @returns a function that asks until there is an answer that counts. @throws S3Error */
function asking({ endpoint, bucket, region, accessKeyId, secretAccessKey }: S3Settings, patience: S3Patience) {
  const { tries, timeoutMs, firstWaitMs } = patience;
  let client: Promise<AwsClient> | undefined;
  const signed = async ({ method, path, body, headers }: Asked): Promise<Request> => {
    client ??= import('aws4fetch').then(
      ({ AwsClient: Client }) => new Client({ accessKeyId, secretAccessKey, region, service: 's3' }),
    );
    const given = { method, ...(body && { body: Uint8Array.from(body) }), ...(headers && { headers }) };
    return (await client).sign(`${endpoint}/${bucket}${path}`, given);
  };
  /** Signed anew each time: a signature is of its minute. */
  const once = async (asked: Asked): Promise<Answer> => {
    const signal = AbortSignal.timeout(timeoutMs);
    const reply = await fetch(await signed(asked), { signal, redirect: 'manual' });
    const body = reply.body ? Readable.fromWeb(reply.body as WebReadable) : Readable.from([]);
    // What the bucket holds is another's to write: of a file of gigabytes no more than this comes into memory.
    const bytes = await bytesOf(body, MOST_BYTES).catch((error: unknown) => {
      throw error instanceof TooManyBytesError ? new S3Error('TOO_LONG', { cause: error }) : error;
    });
    return { status: reply.status, headers: reply.headers, body: bytes };
  };
  return async (asked: Asked, faultOf: (answer: Answer) => S3Error | undefined = () => undefined): Promise<Answer> => {
    let last: S3Error | undefined;
    for (let n = 0; n < tries; n += 1) {
      // A little apart from the others who wait for the same server.
      if (n > 0) await wait(firstWaitMs * 2 ** (n - 1) * (1 + Math.random() / 2));
      const answer = await once(asked).catch((error: unknown) =>
        error instanceof S3Error ? error : new S3Error(lineCode(error), { isAway: true, cause: error }),
      );
      const fault =
        answer instanceof S3Error
          ? answer
          : PASSING.has(answer.status)
            ? new S3Error(codeIn(answer), { isAway: true })
            : faultOf(answer);
      if (fault === undefined) return answer as Answer;
      if (!fault.isAway) throw fault;
      last = fault;
    }
    throw last ?? new S3Error('TIMEOUT', { isAway: true });
  };
}

/** Not what was sent, there or back. */
const broken = () => new S3Error('BROKEN', { isAway: true });

/** What came to lie there is what was sent, which a bucket says and a page that answers in its place does not; a bucket under a key of its own (KMS) says another digest, and has checked the ones that were sent along. */
function isKept({ status, headers }: Answer, md5: Buffer): boolean {
  const [etag] = /[0-9a-f]{32}/.exec(headers.get('etag') ?? '') ?? [];
  return status !== 200 || isOwnKey(headers) || etag === md5.toString('hex');
}

const isOwnKey = (headers: Headers): boolean => /kms/.test(headers.get('x-amz-server-side-encryption') ?? '');

/**
 * Whether what came is what was put, for the answers to one request. Bytes that are not those of our digest and are those of the bucket's own lie there so, as
 * do bytes that come a second time where its digest says nothing (of parts, or under a key of its own): they are not asked for again. Else the line altered them.
 * What a program that copies buckets left the digest out of is judged by its seal alone.
 */
function wholeness(): (answer: Answer) => S3Error | undefined {
  let before: string | undefined;
  return ({ status, headers, body }) => {
    const sent = headers.get(DIGEST);
    const came = createHash('sha256').update(body).digest('hex');
    if (status !== 200 || sent === null || sent === came) return undefined;
    const [, etag] = (!isOwnKey(headers) && /^"?([0-9a-f]{32})"?$/.exec(headers.get('etag') ?? '')) || [];
    const liesSo = etag === undefined ? came === before : etag === createHash('md5').update(body).digest('hex');
    before = came;
    return liesSo ? new S3Error('ALTERED') : broken();
  };
}

/** What else lies in a bucket (a console makes an empty file for a folder) is none of our files. */
const isOurs = (key: string, prefix: string): boolean => key.startsWith(`${prefix}/`) && isKey(key);

/** A file that is not there; a bucket that is not there is a mistake. */
const isMissing = (answer: Answer): boolean => answer.status === NOT_FOUND && codeIn(answer) !== 'NoSuchBucket';

/** @throws S3Error */
function assertOk(answer: Answer): void {
  if (answer.status < 200 || answer.status > 299) throw new S3Error(codeIn(answer));
}

const codeIn = ({ status, body }: Answer): string =>
  /<Code>([A-Za-z0-9.]{1,80})<\/Code>/.exec(body.subarray(0, 4000).toString())?.[1] ?? `HTTP ${status}`;

function lineCode(error: unknown): string {
  const { name, cause } = error as { name?: string; cause?: { code?: unknown } };
  if (name === 'TimeoutError') return 'TIMEOUT';
  return typeof cause?.code === 'string' ? cause.code : 'NO_ANSWER';
}

/** Where the list goes on; undefined at its end. */
function tokenIn(page: string): string | undefined {
  if (!/<IsTruncated>true<\/IsTruncated>/.test(page)) return undefined;
  const token = /<NextContinuationToken>([^<]+)<\/NextContinuationToken>/.exec(page)?.[1];
  return token?.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&amp;', '&');
}
