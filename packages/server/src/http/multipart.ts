import type { FastifyRequest } from 'fastify';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';

/** More text fields than any form of ours has. */
export const MOST_FIELDS = 20;

/** What a form may have: one file beside its fields. */
export const FORM_LIMITS = {
  fileSize: LIMITS.uploadBytes,
  files: 1,
  fields: MOST_FIELDS,
  fieldSize: 16 * 1024,
  parts: MOST_FIELDS + 1,
  headerPairs: 50,
};

export interface UploadedFile {
  /** As the sender named it: for messages, never for a path. */
  filename: string;
  /** As the sender claims; the documents slice looks at the bytes. */
  mimetype: string;
  bytes: Buffer;
}

/**
 * Reads a form of text fields and exactly one file; the sizes are bounded where the parser is registered (app.ts).
 * @throws KistError INVALID_INPUT without a file or with a second, TOO_LARGE beyond the limits, UNSUPPORTED_MEDIA_TYPE when it is no form
 */
export async function readMultipart(
  request: FastifyRequest,
): Promise<{ fields: Record<string, string>; file: UploadedFile }> {
  if (!request.isMultipart()) throw new KistError('UNSUPPORTED_MEDIA_TYPE');
  const fields: Record<string, string> = {};
  let file: UploadedFile | undefined;
  try {
    for await (const part of request.parts()) {
      if (part.type === 'file') {
        const bytes = await part.toBuffer();
        file ??= { filename: part.filename, mimetype: part.mimetype, bytes };
      } else {
        if (Object.hasOwn(fields, part.fieldname))
          throw new KistError('INVALID_INPUT', {
            fields: [{ path: part.fieldname.slice(0, 200), key: 'field.invalid' }],
          });
        Object.defineProperty(fields, part.fieldname, { value: String(part.value), enumerable: true });
      }
    }
  } catch (error) {
    throw refusalOf(error);
  }
  if (!file || file.bytes.length === 0)
    throw new KistError('INVALID_INPUT', { fields: [{ path: 'file', key: 'field.required' }] });
  return { fields, file };
}

/** The parser's own errors carry codes; a form cut off in the middle is a plain Error of its streams. */
function refusalOf(error: unknown): unknown {
  if (error instanceof KistError) return error;
  const { code } = error as { code?: unknown };
  return typeof code === 'string' && code.startsWith('FST_') ? error : new KistError('INVALID_INPUT', { cause: error });
}
