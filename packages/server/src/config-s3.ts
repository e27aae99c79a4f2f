import type { Environment } from '#server/config.ts';
import { isPlainLoopback } from '#server/platform/network.ts';
import type { S3Settings } from '#server/platform/s3-blobs.ts';

/** Undefined: pictures lie in a folder. */
export function s3Of(env: Environment): S3Settings | undefined {
  const { KIST_S3_BUCKET: bucket, KIST_S3_ENDPOINT: endpoint, KIST_S3_REGION: region } = env;
  const { KIST_S3_ACCESS_KEY_ID: accessKeyId, KIST_S3_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (bucket === undefined || endpoint === undefined) return undefined;
  return { bucket, endpoint, region, accessKeyId: accessKeyId ?? '', secretAccessKey: secretAccessKey ?? '' };
}

/** What is missing, or would be read on the way; one sentence each, without values. */
export function s3Problems(env: Environment): string[] {
  const { KIST_S3_BUCKET: bucket, KIST_S3_ENDPOINT: endpoint, KIST_BLOBS_DIR: folder } = env;
  const rest = ['KIST_S3_ENDPOINT', 'KIST_S3_ACCESS_KEY_ID', 'KIST_S3_SECRET_ACCESS_KEY'] as const;
  if (bucket === undefined)
    return endpoint === undefined ? [] : ['KIST_S3_BUCKET is missing: KIST_S3_ENDPOINT needs the name of a bucket.'];
  const missing = rest.filter((name) => env[name] === undefined);
  return [
    missing.length > 0 && `${missing.join(' and ')} missing: KIST_S3_BUCKET needs an address and an account.`,
    folder !== undefined && 'KIST_S3_BUCKET and KIST_BLOBS_DIR both say where pictures lie: take one of them out.',
    endpoint !== undefined &&
      !(new URL(endpoint).protocol === 'https:' || isPlainLoopback(endpoint)) &&
      'KIST_S3_ENDPOINT must be https. Only a loopback address may be http.',
    endpoint !== undefined &&
      new URL(endpoint).username + new URL(endpoint).search !== '' &&
      'KIST_S3_ENDPOINT is an address alone: an account and a question mark do not belong there.',
  ].filter((problem) => problem !== false);
}
