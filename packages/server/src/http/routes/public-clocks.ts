import { type Language, LANGUAGE_TAGS } from '@kist/contract/codes';
import { KistError } from '@kist/contract/errors';
import { formatInr } from '@kist/contract/money-text';
import type { App } from '#server/http/app-types.ts';
import { html, PAGE_POLICY, publicPage, type Say, sayOf } from '#server/http/public-page.ts';
import { loadMoreTranslations, pickLanguage } from '#server/platform/translations.ts';
import * as locking from '#server/locking/locking.ts';
import * as organisations from '#server/organisations/organisations.ts';

const CLOCKS_PATH = '/public/clocks';
const FRESH_S = 300;
const CACHE = `public, max-age=${FRESH_S}`;

type Published = Promise<locking.Clocks>;

/**
 * How an organisation locks and unlocks, for whoever asks, without an account: `/public/clocks/<slug>` as a page in the reader's language,
 * `/public/clocks/<slug>.json` for programs. Reckoned once in five minutes, however many ask.
 */
export function publicClockRoutes({ fastify, deps }: App): void {
  const words = loadMoreTranslations(deps.settings.localesDir);
  const kept = new Map<number, { atMs: number; clocks: Published }>();
  const clocksOf = (orgId: number): Published => {
    const found = kept.get(orgId);
    if (found && performance.now() - found.atMs < FRESH_S * 1000) return found.clocks;
    const clocks = deps.db.read(orgId, (tx) => locking.publicClocks(tx));
    kept.set(orgId, { atMs: performance.now(), clocks });
    clocks.catch(() => kept.delete(orgId));
    return clocks;
  };
  fastify.get<{ Params: { file: string }; Querystring: { lang?: unknown } }>(
    `${CLOCKS_PATH}/:file`,
    async (request, reply) => {
      const isJson = request.params.file.endsWith('.json');
      const slug = isJson ? request.params.file.slice(0, -'.json'.length) : request.params.file;
      const brand = await organisations.brandOf(deps.db, { host: '', slug, defaultOrgId: 0 });
      if (!brand) throw new KistError('NOT_FOUND');
      const clocks = await clocksOf(brand.orgId);
      void reply.header('cache-control', CACHE).header('vary', 'accept-language');
      if (isJson)
        return reply
          .type('application/json; charset=utf-8')
          .send(JSON.stringify({ organisation: { slug, name: brand.name }, ...clocks }));
      const { lang } = request.query;
      const language = pickLanguage(typeof lang === 'string' ? lang : undefined, request.headers['accept-language']);
      return reply
        .header('content-security-policy', PAGE_POLICY)
        .type('text/html; charset=utf-8')
        .send(pageOf(sayOf(words, language), { slug, name: brand.name, language, clocks }));
    },
  );
}

const STEPS = [
  { unit: 'day', s: 86_400 },
  { unit: 'hour', s: 3600 },
  { unit: 'minute', s: 60 },
  { unit: 'second', s: 1 },
] as const;

/** '3 minutes', '26 days': the largest unit of which there are two, or the seconds. */
export function durationText(seconds: number, language: Language): string {
  const { unit, s } = STEPS.find((step) => seconds >= 2 * step.s) ?? STEPS[STEPS.length - 1]!;
  return new Intl.NumberFormat(`${LANGUAGE_TAGS[language]}-u-nu-latn`, {
    style: 'unit',
    unit,
    unitDisplay: 'long',
    maximumFractionDigits: 0,
  }).format(Math.floor(seconds / s));
}

interface Page {
  slug: string;
  name: string;
  language: Language;
  clocks: locking.Clocks;
}

/** The figures of a clock, where there were enough. */
function figuresOf({ say, language }: { say: Say; language: Language }) {
  const time = (seconds: number | null) => (seconds === null ? '—' : html(durationText(seconds, language)));
  const row = (key: string, value: string) => `<li>${say(`public_clocks.${key}`)}<br><strong>${value}</strong></li>`;
  const tooFew = `<p>${say('public_clocks.too_few', { least: locking.CLOCK_LEAST })}</p>`;
  return {
    lock(lock: locking.Clocks['notice_to_level']): string {
      if (lock.locks === 0) return `<p>${say('public_clocks.no_locks')}</p>`;
      const isEarly = lock.early > 0;
      const early = `<p class="${isEarly ? 'bad' : 'ok'}">${say(isEarly ? 'public_clocks.early' : 'public_clocks.never_early', { count: lock.early })}</p>`;
      if (lock.is_too_few) return `${early}${tooFew}`;
      return `${early}<ul>${row('locks', String(lock.locks))}${row('wait_p50', time(lock.p50_s))}${row('wait_least', time(lock.least_s))}</ul>`;
    },
    unlock(unlock: locking.Clocks['cure_to_unlock']): string {
      if (unlock.cures === 0) return `<p>${say('public_clocks.no_cures')}</p>`;
      if (unlock.is_too_few) return tooFew;
      return `<ul>${row('cures', String(unlock.cures))}${row('p50', time(unlock.p50_s))}${row('p95', time(unlock.p95_s))}${row('worst', time(unlock.worst_s))}${row('unconfirmed', String(unlock.unconfirmed))}${row('wrongful', String(unlock.wrongful))}${row('owed', html(formatInr(unlock.owed_paise)))}</ul>`;
    },
  };
}

export function pageOf(say: Say, { slug, name, language, clocks }: Page): string {
  const { days, notice_to_level: lock, cure_to_unlock: unlock } = clocks;
  const here = `${CLOCKS_PATH}/${encodeURIComponent(slug)}`;
  const figures = figuresOf({ say, language });
  const body = `<p>${say('public_clocks.why', { days })}</p>
<section><h2>${say('public_clocks.lock')}</h2>
${figures.lock(lock)}
</section>
<section><h2>${say('public_clocks.unlock')}</h2>
${figures.unlock(unlock)}
</section>
<p class="soft"><a href="${here}.json">${say('public_clocks.data')}</a></p>`;
  return publicPage({ language, title: say('public_clocks.title', { name }), body, path: here });
}
