import { createHash } from 'node:crypto';
import { z } from 'zod';
import { type Language, LANGUAGE_TAGS } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { dateSchema } from '@kist/contract/fields';
import type { App } from '#server/http/app-types.ts';
import { html, type Say, sayOf } from '#server/http/public-page.ts';
import { loadMoreTranslations, pickLanguage } from '#server/platform/translations.ts';
import { PUBLIC_AUDIT_PATH } from '#server/notices/notices.ts';
import * as organisations from '#server/organisations/organisations.ts';
import * as reports from '#server/reports/reports.ts';

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.5 system-ui,sans-serif;margin:0 auto;max-width:60rem;padding:1.5rem 1rem}
h1{font-size:1.4rem}p{max-width:44rem}ul{list-style:none;padding:0}li{border-top:1px solid #8886;padding:.75rem 0}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 1rem;margin:0}dt{opacity:.75}dd{margin:0;overflow-wrap:anywhere}
code{font-size:.85rem}a{display:inline-flex;min-height:48px;align-items:center;margin-inline-end:1.5rem;color:LinkText}
.bad{color:#b3261e;font-weight:600}@media(prefers-color-scheme:dark){.bad{color:#f2b8b5}}`;
/** Nothing runs on this page, nothing is loaded; its one style is named by its hash. */
const POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; base-uri 'none'; frame-ancestors 'none'`;
/** A root is made once a day: a minute old is as good. */
const CACHE = 'public, max-age=60';

const query = z.object({ before: dateSchema.optional(), lang: z.string().max(10).optional() });

/**
 * The daily roots of an organisation for whoever asks, without an account: `/public/audit/<slug>` as a page in the reader's language,
 * `/public/audit/<slug>.json` for programs.
 */
export function publicAuditRoutes({ fastify, deps }: App): void {
  // Words of a screen that is not of every day stand in the second files.
  const words = loadMoreTranslations(deps.settings.localesDir);
  fastify.get<{ Params: { file: string } }>(`${PUBLIC_AUDIT_PATH}/:file`, async (request, reply) => {
    const asked = query.safeParse(request.query);
    if (!asked.success) throw new KistError('INVALID_INPUT', { fields: [{ path: 'before', key: 'field.invalid' }] });
    const isJson = request.params.file.endsWith('.json');
    const slug = isJson ? request.params.file.slice(0, -'.json'.length) : request.params.file;
    const brand = await organisations.brandOf(deps.db, { host: '', slug, defaultOrgId: 0 });
    if (!brand) throw new KistError('NOT_FOUND');
    const { before, lang } = asked.data;
    const audit = await deps.db.read(brand.orgId, (tx) => reports.publicAudit(tx, { before }));
    void reply.header('cache-control', CACHE).header('vary', 'accept-language');
    if (isJson)
      return reply
        .type('application/json; charset=utf-8')
        .send(JSON.stringify({ organisation: { slug, name: brand.name }, ...audit }));
    const language = pickLanguage(lang, request.headers['accept-language']);
    return reply
      .header('content-security-policy', POLICY)
      .type('text/html; charset=utf-8')
      .send(pageOf(sayOf(words, language), { slug, name: brand.name, language, audit }));
  });
}

interface Page {
  slug: string;
  name: string;
  language: Language;
  audit: reports.PublicAudit;
}
function pageOf(say: Say, { slug, name, language, audit }: Page): string {
  const tag = LANGUAGE_TAGS[language];
  const when = new Intl.DateTimeFormat(`${tag}-u-nu-latn`, {
    dateStyle: 'medium',
    timeStyle: 'short',
    timeZone: 'Asia/Kolkata',
  });
  const at = (iso: string): string => when.format(new Date(iso));
  const title = say('public_audit.title', { name });
  const here = `${PUBLIC_AUDIT_PATH}/${encodeURIComponent(slug)}`;
  const rows = audit.roots.map(
    (root) => `<li><dl>
<dt>${say('public_audit.day')}</dt><dd><strong>${root.day.split('-').toReversed().join('-')}</strong></dd>
<dt>${say('public_audit.made')}</dt><dd>${html(at(root.at))}</dd>
<dt>${say('public_audit.grown')}</dt><dd>${root.heads}</dd>
<dt>${say('public_audit.seal')}</dt><dd><code>${root.root}</code></dd></dl></li>`,
  );
  const older = audit.next_before
    ? `<a href="${here}?before=${audit.next_before}&amp;lang=${language}">${say('public_audit.older')}</a>`
    : '';
  return `<!doctype html>
<html lang="${tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title}</title><style>${STYLE}</style></head><body><main>
<h1>${title}</h1>
<p>${say('public_audit.why')}</p>
${checkLine(say, at, audit)}
${rows.length > 0 ? `<ul>\n${rows.join('\n')}\n</ul>` : `<p>${say('public_audit.none')}</p>`}
<p>${older}<a href="${here}.json">${say('public_audit.data')}</a></p>
</main></body></html>
`;
}

function checkLine(say: Say, at: (iso: string) => string, { checked_at, missing }: reports.PublicAudit): string {
  if (checked_at === null) return `<p class="bad">${say('public_audit.unchecked')}</p>`;
  if (missing === 0) return `<p>${say('public_audit.whole', { at: at(checked_at) })}</p>`;
  return `<p class="bad">${say('public_audit.broken', { at: at(checked_at), count: missing })}</p>`;
}
