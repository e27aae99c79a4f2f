import type { FastifyRequest } from 'fastify';
import { LANGUAGES, type Language } from '@kist/contract/codes';
import { pickLanguage } from '#server/platform/translations.ts';
import { cookieLanguage } from './caller.ts';

/**
 * Whose words a page is to bring: those that the reader chose, by the cookie, or by the path ('/hn/customers'), as the page itself looks for them
 * (packages/web/index.html); a language that the organisation does not speak is nobody's.
 * @returns undefined for what is no opening of a page: a worker that keeps it for later brings the words of whoever is there then
 */
export function wordsWanted(request: FastifyRequest, spoken: readonly string[] = LANGUAGES): Language | undefined {
  if (request.headers['sec-fetch-dest'] !== 'document') return undefined;
  const chosen = pickLanguage(cookieLanguage(request) ?? request.url.split(/[/?]/, 2)[1]);
  return spoken.includes(chosen) ? chosen : pickLanguage();
}

/**
 * The page with the words of a language in it: it comes while the line waits for the first answer to what the page asks for; a file of their own would come behind
 * that, with all the code. They are data and no script, and no inline block changes, so the policy's hashes stay right.
 * @param words the locale's file
 */
export const withWords = (page: string, language: Language, words: string): string =>
  page
    .replace('<meta name="said" content="0"', () => `<meta name="said" content="&quot;${language}&quot;"`)
    .replace(
      '</body>',
      () =>
        `<script type="application/json" id="words" data-of="${language}">${words.trim().replaceAll('<', '\\u003c')}</script></body>`,
    );
