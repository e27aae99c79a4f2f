import { z } from 'zod';
import { NEEDS } from './access.ts';
import { DOCUMENT_TYPES } from './codes.ts';
import { endpoint } from './endpoint.ts';
import type { ErrorCode } from './errors.ts';
import { idSchema, imageNameSchema } from './fields.ts';
import { PATHS } from './paths.ts';

/** In whatever letters: 'PAN', 'Photo'. */
const documentTypeIn = z
  .string()
  .max(20, 'field.choice')
  .transform((value) => value.trim().toLowerCase())
  .pipe(z.enum(DOCUMENT_TYPES, 'field.choice'));

/** A path on this server that shows the picture to whoever has it, for a minute, and no longer than the session that asked lives. */
const linkShape = { url: z.string(), expires_at: z.string() };

/** What every call that takes a picture has in common; nothing is kept of one that is refused. */
const ofUpload = {
  auth: ['retailer', 'miniretailer'],
  access: NEEDS.activate,
  multipart: true,
  reply: z.object({ document_id: z.uuid() }),
  errors: [
    'NOT_FOUND',
    'STATE_CONFLICT',
    'FEATURE_NOT_OFFERED',
    'TOO_LARGE',
    'TOO_MANY_PIXELS',
    'FILE_TYPE_UNSUPPORTED',
    'FILE_UNREADABLE',
    'DOCUMENT_QUOTA',
    'PICTURES_UNAVAILABLE',
  ] satisfies ErrorCode[],
} as const;

/** Pictures of a customer: signatures, photo, papers. */
export const documentEndpoints = {
  uploadSignature: endpoint({
    ...PATHS.uploadSignature,
    ...ofUpload,
    summary: 'The signature, drawn or photographed; kept encrypted.',
    body: z.strictObject({ customer_id: idSchema }),
  }),
  uploadWitnessSignature: endpoint({
    ...PATHS.uploadWitnessSignature,
    ...ofUpload,
    summary: 'The witness’s signature, where the organisation asks for one.',
    body: z.strictObject({ customer_id: idSchema }),
    errors: [...ofUpload.errors, 'WITNESS_NOT_ASKED'],
  }),
  uploadInvoice: endpoint({
    ...PATHS.uploadInvoice,
    ...ofUpload,
    summary: 'A picture of the phone’s invoice.',
    body: z.strictObject({ customer_id: idSchema, image_name: imageNameSchema.optional() }),
  }),
  uploadCustomerPhoto: endpoint({
    ...PATHS.uploadCustomerPhoto,
    ...ofUpload,
    summary: 'The customer’s photo.',
    body: z.strictObject({ customer_id: idSchema }),
  }),
  getCustomerDocuments: endpoint({
    ...PATHS.getCustomerDocuments,
    summary: 'Pictures that are in use of a customer, newest first, each with a link that opens it for a minute.',
    auth: 'session',
    access: NEEDS.read,
    query: z.strictObject({
      customer_id: idSchema,
      document_type: documentTypeIn.optional(),
      image_name: imageNameSchema.optional(),
    }),
    reply: z.array(
      z.object({
        document_id: z.uuid(),
        document_type: z.enum(DOCUMENT_TYPES),
        image_name: z.string(),
        mime: z.string(),
        bytes: z.int(),
        created_at: z.string(),
        ...linkShape,
      }),
    ),
    errors: ['NOT_FOUND'],
  }),
  uploadCustomerDocument: endpoint({
    ...PATHS.uploadCustomerDocument,
    ...ofUpload,
    summary: 'Keep a picture of a customer’s document; it takes the place of the one of that type and name.',
    body: z.strictObject({
      customer_id: idSchema,
      document_type: documentTypeIn,
      image_name: imageNameSchema.optional(),
    }),
    errors: [...ofUpload.errors, 'WITNESS_NOT_ASKED'],
  }),
  getDocument: endpoint({
    ...PATHS.getDocument,
    summary: 'A link that opens one document for a minute.',
    auth: 'session',
    access: NEEDS.read,
    query: z.strictObject({ document_id: idSchema }),
    reply: z.object({ mime: z.string(), ...linkShape }),
    errors: ['NOT_FOUND'],
  }),
} as const;
