import { type Blobs, createDiskBlobs } from './blobs.ts';
import { type S3Settings, createS3Blobs } from './s3-blobs.ts';

/** Where files lie that are too large for rows: in a bucket where one is named, else in the folder. */
export const createBlobs = ({ blobsDir, s3 }: { blobsDir: string; s3: S3Settings | undefined }): Blobs =>
  s3 ? createS3Blobs(s3) : createDiskBlobs(blobsDir);

/** Takes away what lies below a beginning. @param stays keys that are left */
export async function emptyBlobs(blobs: Blobs, prefix: string, stays: readonly string[] = []): Promise<void> {
  const keys: string[] = [];
  for await (const key of blobs.list(prefix)) if (!stays.includes(key)) keys.push(key);
  for (const key of keys) await blobs.delete(key);
}

/** @returns a key below a beginning; undefined where there is none */
export async function anyBlob(blobs: Blobs, prefix: string): Promise<string | undefined> {
  for await (const key of blobs.list(prefix)) return key;
  return undefined;
}
