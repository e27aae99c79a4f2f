import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import type { Language } from '@kist/contract/codes';
import { isImei } from '@kist/contract/imei';
import * as devices from '#server/devices/devices.ts';
import type { App } from '#server/http/app-types.ts';
import { PAGE_POLICY, publicPage, type Say, sayOf } from '#server/http/public-page.ts';
import * as organisations from '#server/organisations/organisations.ts';
import { loadMoreTranslations, pickLanguage } from '#server/platform/translations.ts';

export const PUBLIC_IMEI_PATH = '/public/imei';
/** A number and a language; more is no question. */
const BODY_BYTES = 500;
/** Every answer takes this long, or so many times as long: how long the database looked says nothing of what it found. */
const ANSWER_MS = 250;

const asked = z.object({ imei: z.string().max(40).default(''), lang: z.string().max(10).optional() });
/** As it is printed and typed, with spaces and dashes between. */
const digitsOf = (typed: string): string => typed.replaceAll(/[\s./-]/g, '');

type Found = 'free' | 'under_agreement';

/**
 * Whether a phone may be bought second-hand, for whoever asks: `/public/imei` as a page, and by POST of JSON (`{imei}`) for programs, answered
 * `{state: 'free' | 'under_agreement'}` and nothing else. A number that nobody knows is free; by POST, so that no number stands in an address or a log.
 */
export function publicImeiRoutes({ fastify, deps }: App): void {
  const words = loadMoreTranslations(deps.settings.localesDir);
  const look = async (imei: string): Promise<Found> => {
    const from = performance.now();
    const org_ids = await organisations.everyId(deps.db);
    const isHeld = await devices.isImeiHeld(deps.db.devicePool, { org_ids, imei });
    await new Promise((resolve) => setTimeout(resolve, ANSWER_MS - ((performance.now() - from) % ANSWER_MS)));
    return isHeld ? 'under_agreement' : 'free';
  };
  void fastify.register(async (scope) => {
    scope.addContentTypeParser('application/x-www-form-urlencoded', { parseAs: 'string' }, (_request, text, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(text)))),
    );
    const send = (request: FastifyRequest, reply: FastifyReply, lang: string | undefined, shown: Shown) => {
      const language = pickLanguage(lang, request.headers['accept-language']);
      void reply
        .header('content-security-policy', PAGE_POLICY)
        .header('vary', 'accept-language')
        .type('text/html; charset=utf-8');
      return reply.send(pageOf(sayOf(words, language), language, shown));
    };
    scope.get(PUBLIC_IMEI_PATH, async (request, reply) =>
      send(request, reply, asked.safeParse(request.query).data?.lang, {}),
    );
    scope.post(PUBLIC_IMEI_PATH, { bodyLimit: BODY_BYTES }, async (request, reply) => {
      await deps.limits.publicImei(request.ip);
      const { data } = asked.safeParse(request.body ?? {});
      const imei = digitsOf(data?.imei ?? '');
      const isJson = request.headers['content-type']?.startsWith('application/json') ?? false;
      if (!isImei(imei)) {
        void reply.code(400);
        return isJson ? { state: null } : send(request, reply, data?.lang, { typed: data?.imei ?? '', isWrong: true });
      }
      const state = await look(imei);
      return isJson ? { state } : send(request, reply, data?.lang, { typed: imei, state });
    });
  });
}

interface Shown {
  typed?: string;
  state?: Found;
  isWrong?: boolean;
}

function pageOf(say: Say, language: Language, { typed = '', state, isWrong }: Shown): string {
  const answer =
    state === undefined
      ? ''
      : `<section role="status"><p class="${state === 'free' ? 'ok' : 'bad'}">${say(`imei_check.${state}`)}</p>
<p class="soft">${say(`imei_check.${state}_means`)}</p></section>`;
  return publicPage({
    language,
    title: say('imei_check.title'),
    path: PUBLIC_IMEI_PATH,
    body: `${answer}<p>${say('imei_check.why')}</p>
<form method="post" action="${PUBLIC_IMEI_PATH}"><section>
<label for="imei">${say('imei_check.label')}</label>
<input id="imei" name="imei" inputmode="numeric" autocomplete="off" maxlength="20" required value="${typed.replaceAll(/[^\d\s./-]/g, '').slice(0, 20)}" aria-describedby="hint"${isWrong ? ' aria-invalid="true"' : ''}>
<p id="hint" class="${isWrong ? 'bad' : 'soft'}">${say(isWrong ? 'imei_check.wrong' : 'imei_check.hint')}</p>
<input type="hidden" name="lang" value="${language}">
<button>${say('imei_check.ask')}</button>
</section></form>`,
  });
}
