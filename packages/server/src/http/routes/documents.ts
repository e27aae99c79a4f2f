import type { FastifyReply, FastifyRequest } from 'fastify';
import type { DocumentType } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import * as documents from '#server/documents/documents.ts';
import type { App } from '#server/http/app-types.ts';
import { route } from '#server/http/route.ts';

const UPLOADS = {
  uploadSignature: 'signature',
  uploadWitnessSignature: 'witness_signature',
  uploadCustomerPhoto: 'photo',
} as const satisfies Record<string, DocumentType>;

/** Photographs, papers and signatures of customers, and the links that open them. */
export function documentRoutes(app: App): void {
  route(app, 'getCustomerDocuments', ({ db, actor, query }) =>
    db.read(actor.orgId, async (tx) =>
      (await documents.list(tx, actor, query)).map((row) => ({ ...row, created_at: row.created_at.toISOString() })),
    ),
  );
  route(app, 'getDocument', ({ db, actor, query }) => db.read(actor.orgId, (tx) => documents.link(tx, actor, query)));
  route(app, 'uploadCustomerDocument', async ({ db, actor, body, file: { bytes } }) => ({
    document_id: await documents.keep(db, actor, { ...body, bytes }),
  }));
  route(app, 'uploadInvoice', async ({ db, actor, body, file: { bytes } }) => ({
    document_id: await documents.keep(db, actor, { ...body, document_type: 'invoice', bytes }),
  }));
  for (const name of ['uploadSignature', 'uploadWitnessSignature', 'uploadCustomerPhoto'] as const)
    route(app, name, async ({ db, actor, body: { customer_id }, file: { bytes } }) => ({
      document_id: await documents.keep(db, actor, { customer_id, document_type: UPLOADS[name], bytes }),
    }));
  app.fastify.get<Opened>(`${documents.FILE_PATH}/:link`, (request, reply) => show(app, request, reply));
}

interface Opened {
  Params: { link: string };
}

/** The picture itself, to whoever brings the link: no header of the app comes with a picture's address. */
async function show(
  { deps: { db } }: App,
  request: FastifyRequest<Opened>,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const link = documents.readFileLink(db.ports.documents.linkKey, request.params.link);
  if (!link) throw new KistError('NOT_FOUND');
  const { mime, bytes } = await documents.openLink(db, link, request.ip);
  return reply.type(mime).header('content-disposition', 'inline').send(bytes);
}
