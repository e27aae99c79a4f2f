import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { type ErrorCode, KistError } from '@kist/contract/errors';
import { idSchema, noteSchema } from '@kist/contract/fields';
import { LIMITS } from '@kist/contract/limits';
import type { App } from '#server/http/app-types.ts';
import { failureReply } from '#server/http/errors.ts';
import { parseInput } from '#server/http/input.ts';
import type { FailedComplaint } from '#server/http/notice-complaints.ts';
import { noticePageText } from '#server/http/notice-page.ts';
import { PAGE_POLICY, publicPage, sayOf } from '#server/http/public-page.ts';
import { route } from '#server/http/route.ts';
import { loadMoreTranslations, pickLanguage, type Translations } from '#server/platform/translations.ts';
import type { Locking } from '#server/locking/locking.ts';
import * as notices from '#server/notices/notices.ts';
import * as reports from '#server/reports/reports.ts';

/** A complaint: 500 characters of any script as a form sends them, the EMI, the language. */
const BODY_BYTES = 12_000;
const written = z.object({
  text: noteSchema(1),
  no: z.coerce.number().int().min(1).max(1000).optional(),
  dispute_id: idSchema.optional(),
});
/** What a form brought, before anything is known of it. */
const brought = z.object({
  text: z.string().default(''),
  no: z.string().max(10).default(''),
  dispute_id: z.string().max(40).default(''),
  lang: z.string().max(10).optional(),
});

type Opened = Awaited<ReturnType<typeof notices.openLink>>;

/**
 * The links to the pages of notices, and the pages: opened without an account, without a cookie, by whoever has the link. A complaint can be sent there, and
 * nothing else be done: all that can come of one is that a phone stays as it is. What needs the customer's own code (a theft) is no part of it.
 */
export function noticeLinkRoutes(app: App, making: notices.LinkMaking, locking: Complaints): void {
  const { fastify, translations } = app;
  route(app, 'getNoticeLink', ({ actor, db, query }) =>
    db.read(actor.orgId, (tx) => notices.noticeLink(tx, making, actor, query)),
  );
  route(
    app,
    'renewNoticeLink',
    ({ tx, actor, body }) => notices.renewLink(tx, actor, body),
    ({ agreement_id, no }, { orgId }) => ({ url: notices.linkOf(making, orgId, agreement_id, no) }),
  );
  const words = withMore(translations, loadMoreTranslations(app.deps.settings.localesDir));
  const pages = showing(app, making, words);
  void fastify.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    );
    scope.get<Page>(PATH, async (request, reply) => {
      const { lang } = request.query;
      return pages.show(request, reply, typeof lang === 'string' ? lang : undefined);
    });
    scope.post<Page>(PATH, { bodyLimit: BODY_BYTES }, async (request, reply) => {
      const form = brought.safeParse(request.body ?? {}).data ?? brought.parse({});
      try {
        await complain({ app, making, locking }, request, form);
        const said = form.lang === undefined ? '' : `?lang=${pickLanguage(form.lang)}`;
        return reply.redirect(`${hereOf(request)}${said}`, 303);
      } catch (error) {
        if (!(error instanceof KistError) || !SAID_ON_PAGE.has(error.code)) throw error;
        return pages.show(request, reply, form.lang, { error, form });
      }
    });
  });
}

/** What of locking this page may ask for. */
type Complaints = Pick<Locking, 'openByLink' | 'escalateByLink'>;
interface Page {
  Params: { link: string };
  Querystring: { lang?: unknown };
}
const PATH = `${notices.NOTICE_PAGE_PATH}/:link`;
const hereOf = ({ params }: { params: unknown }): string =>
  `${notices.NOTICE_PAGE_PATH}/${encodeURIComponent((params as Page['Params']).link)}`;
/** What the person can do something about; of the rest the whole server speaks alike. */
const SAID_ON_PAGE: ReadonlySet<ErrorCode> = new Set([
  'INVALID_INPUT',
  'NOT_FOUND',
  'STATE_CONFLICT',
  'DISPUTE_DECIDED',
  'FORBIDDEN',
  'RATE_LIMITED',
]);

/**
 * Sends a complaint, or takes an answer further. There is no cookie that another site's page could ride on: who sends the form has the link. A browser that says
 * that another site's page sent it is refused all the same.
 * @throws KistError FORBIDDEN, RATE_LIMITED, NOT_FOUND (the link opens nothing), INVALID_INPUT, STATE_CONFLICT, DISPUTE_DECIDED
 */
async function complain(
  { app, making, locking }: { app: App; making: notices.LinkMaking; locking: Complaints },
  request: FastifyRequest,
  form: z.output<typeof brought>,
): Promise<void> {
  const { db } = app.deps;
  const site = request.headers['sec-fetch-site'];
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw new KistError('FORBIDDEN');
  const link = notices.readLink((request.params as Page['Params']).link);
  const opened: Opened = link && (await db.read(link.orgId, (tx) => notices.openLink(tx, making, link)));
  await counted(app, 'complaint', request, opened);
  if (!link || !opened) throw new KistError('NOT_FOUND');
  const { agreement_id: agreementId } = opened;
  const {
    no,
    dispute_id: disputeId,
    text,
  } = parseInput(written, {
    text: form.text,
    ...(form.no !== '' && { no: form.no }),
    ...(form.dispute_id !== '' && { dispute_id: form.dispute_id }),
  });
  const said = { agreementId, text, ip: request.ip };
  await db.transaction(link.orgId, async (tx) => {
    // Once more, in the transaction that writes: it may have been replaced meanwhile.
    if (!(await notices.openLink(tx, making, link))) throw new KistError('NOT_FOUND');
    if (disputeId !== undefined) return locking.escalateByLink(tx, { ...said, disputeId });
    if (no === undefined) throw new KistError('INVALID_INPUT');
    return locking.openByLink(tx, { ...said, instalmentNo: no });
  });
}

/** @throws KistError RATE_LIMITED */
async function counted(
  { deps: { limits } }: Pick<App, 'deps'>,
  what: 'read' | 'complaint',
  { ip }: FastifyRequest,
  opened: Opened,
): Promise<void> {
  await limits.noticeLink(what, opened ? { agreementId: opened.agreement_id } : { ip });
}

/** Shows the page that a link opens, with why a complaint was not taken if one was sent in vain. */
function showing(app: App, making: notices.LinkMaking, words: Translations) {
  const { deps } = app;
  const show = async (
    request: FastifyRequest,
    reply: FastifyReply,
    lang: string | undefined,
    vain?: { error: KistError; form: z.output<typeof brought> },
  ): Promise<FastifyReply> => {
    const link = notices.readLink((request.params as Page['Params']).link);
    const opened: Opened = link && (await deps.db.read(link.orgId, (tx) => notices.openLink(tx, making, link)));
    // What was sent in vain is counted already.
    if (!vain) await counted(app, 'read', request, opened);
    const page = link && opened && (await deps.db.read(link.orgId, (tx) => reports.noticePage(tx, opened)));
    const language = pickLanguage(lang, page?.language, request.headers['accept-language']);
    void reply.header('content-security-policy', PAGE_POLICY).header('referrer-policy', 'no-referrer');
    void reply.type('text/html; charset=utf-8');
    const say = sayOf(words, language);
    const here = hereOf(request);
    const failure = vain && failureReply(vain.error, language, words);
    if (page) {
      if (failure) void reply.code(failure.status).headers(failure.headers);
      const isEmpty = vain?.error.code === 'INVALID_INPUT' && vain.form.text.trim() === '';
      const why = (isEmpty ? words.text(language, 'field.required') : failure?.body.message) ?? '';
      return reply.send(noticePageText(say, language, here, page, vain && failedOf(vain.form, why)));
    }
    // Wrong, replaced, too old: who tries links learns nothing from the difference.
    const body = `<section><p>${say('notice_page.gone_body')}</p></section>`;
    if (failure?.status === 429) void reply.headers(failure.headers);
    return reply
      .code(failure?.status === 429 ? 429 : 404)
      .send(publicPage({ language, title: say('notice_page.gone'), body, path: here }));
  };
  return { show };
}

const failedOf = ({ dispute_id, no, text }: z.output<typeof brought>, why: string): FailedComplaint => ({
  disputeId: dispute_id,
  no,
  text: text.slice(0, LIMITS.noteLength),
  why,
});

/** Words of every day and those that stand apart, as one. */
const withMore = (main: Translations, more: Translations): Translations => ({
  text: (language, key, params) => more.text(language, key, params) ?? main.text(language, key, params),
  counted: (language, key, count) => more.counted(language, key, count) ?? main.counted(language, key, count),
});
