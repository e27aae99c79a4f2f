import { z } from 'zod';
import { NEEDS } from './access.ts';
import { DOCUMENT_TYPES } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { idSchema, wordSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/** In whatever letters: 'PAN', 'Photo'. */
const documentTypeIn = z
  .string()
  .max(20, 'field.choice')
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.enum(DOCUMENT_TYPES, 'field.choice'));

/** Pictures of a customer: signature, photo, papers. */
export const documentEndpoints = {
  uploadSignature: endpoint({
    ...PATHS.uploadSignature,
    summary: 'The signature as PNG; kept encrypted.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    multipart: true,
    body: z.strictObject({ customer_id: idSchema }),
    reply: z.object({ document_id: z.uuid() }),
    errors: ['NOT_FOUND', 'FEATURE_NOT_OFFERED', 'TOO_LARGE', 'FILE_TYPE_UNSUPPORTED', 'FILE_UNREADABLE'],
  }),
  uploadCustomerPhoto: endpoint({
    ...PATHS.uploadCustomerPhoto,
    summary: 'The customer’s photo.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    multipart: true,
    body: z.strictObject({ customer_id: idSchema }),
    reply: z.object({ document_id: z.uuid() }),
    errors: ['NOT_FOUND', 'FEATURE_NOT_OFFERED', 'TOO_LARGE', 'FILE_TYPE_UNSUPPORTED', 'FILE_UNREADABLE'],
  }),
  getCustomerDocuments: endpoint({
    ...PATHS.getCustomerDocuments,
    summary: 'Documents of a customer, newest first; the newest of a type or of a name with its picture.',
    auth: 'session',
    access: NEEDS.read,
    query: z.strictObject({
      customer_id: idSchema,
      document_type: documentTypeIn.optional(),
      image_name: wordSchema.optional(),
    }),
    reply: z.array(
      z.object({
        document_id: z.uuid(),
        document_type: z.string(),
        image_name: z.string(),
        mime: z.string(),
        bytes: z.int(),
        created_at: z.string(),
        data_url: z.string().nullable(),
      }),
    ),
    errors: ['NOT_FOUND'],
  }),
  uploadCustomerDocument: endpoint({
    ...PATHS.uploadCustomerDocument,
    summary: 'Keep a picture of a customer’s document.',
    auth: ['retailer', 'miniretailer'],
    access: NEEDS.activate,
    multipart: true,
    body: z.strictObject({ customer_id: idSchema, document_type: documentTypeIn }),
    reply: z.object({ document_id: z.uuid() }),
    errors: ['NOT_FOUND', 'FEATURE_NOT_OFFERED', 'TOO_LARGE', 'FILE_TYPE_UNSUPPORTED', 'FILE_UNREADABLE'],
  }),
  getDocument: endpoint({
    ...PATHS.getDocument,
    summary: 'A document as a data URL.',
    auth: 'session',
    access: NEEDS.read,
    query: z.strictObject({ document_id: idSchema }),
    reply: z.object({ mime: z.string(), data_url: z.string() }),
    errors: ['NOT_FOUND'],
  }),
} as const;
