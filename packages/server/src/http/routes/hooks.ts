import type { FastifyInstance } from 'fastify';
import { KistError } from '@kist/contract/errors';
import { LIMITS } from '@kist/contract/limits';
import type { Notices } from '#server/notices/notices.ts';
import { isSignedReceipt, readReceipt, takeReceipt } from '#server/notices/receipts.ts';
import type { Database } from '#server/platform/database.ts';

export const SMS_HOOK_PATH = '/hooks/sms';

export interface HookDeps {
  db: Pick<Database, 'transaction'>;
  notices: Pick<Notices, 'delivered' | 'failed'>;
  /** Secrets that a receipt may be signed with: the present one, and the one before while it is being changed. Without any nothing is believed. */
  smsSecrets: readonly string[];
}

/** What vendors' servers tell us, signed over the raw bytes. A scope of its own: here, and only here, bodies come as they were sent. */
export function hookRoutes(fastify: FastifyInstance, { db, notices, smsSecrets }: HookDeps): void {
  void fastify.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', { parseAs: 'buffer' }, (_request, body, done) => done(null, body));
    scope.post(SMS_HOOK_PATH, { bodyLimit: LIMITS.agentBodyBytes }, async (request) => {
      const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      const header = request.headers['x-sms-signature'];
      if (typeof header !== 'string' || !isSignedReceipt(header, body, smsSecrets)) throw new KistError('FORBIDDEN');
      await takeReceipt(db, notices, readReceipt(body));
      return { ok: true };
    });
  });
}
