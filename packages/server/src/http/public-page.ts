import { createHash } from 'node:crypto';
import { type Language, LANGUAGES, LANGUAGE_TAGS } from '@kist/contract/codes';
import type { Params, Translations } from '#server/platform/translations.ts';

/** The app's own colours: warm paper, ink, the red stitch beside what matters. */
const STYLE = `:root{color-scheme:light dark;--bg:#faf8f4;--card:#fff;--ink:#1c1b19;--soft:#5b5750;--line:#e4dfd5;--accent:#3733a8;--on:#fff;--bad:#a3261e;--ok:#1c6b45}
@media(prefers-color-scheme:dark){:root{--bg:#131316;--card:#1d1d22;--ink:#f2f1ee;--soft:#b5b2ac;--line:#33333a;--accent:#8785f5;--on:#131316;--bad:#f2b8b5;--ok:#7fd3a6}}
*{box-sizing:border-box}body{font:16px/1.5 system-ui,"Noto Sans",sans-serif;margin:0;background:var(--bg);color:var(--ink)}
main{overflow-wrap:anywhere;max-width:40rem;margin:0 auto;padding:1.25rem 1rem 2.5rem;display:grid;gap:.75rem;grid-template-columns:minmax(0,1fr)}
h1{font-size:1.4rem;line-height:1.3;margin:0}h2{font-size:1.05rem;margin:0}p{margin:0}.soft{color:var(--soft);font-size:.9rem}
section{background:var(--card);border:1px solid var(--line);border-radius:16px;padding:1rem;display:grid;gap:.5rem}
.owed{border-left:3px dashed #c0392b}.money{font-size:2rem;font-weight:700;line-height:1.2}.bad{color:var(--bad);font-weight:600}.ok{color:var(--ok);font-weight:600}
ul{list-style:none;margin:0;padding:0;display:grid}li{border-top:1px solid var(--line);padding:.6rem 0}li:first-child{border-top:0}
.main,button{display:flex;width:100%;min-height:48px;align-items:center;justify-content:center;padding:.5rem 1rem;border:0;border-radius:14px;background:var(--accent);color:var(--on);font:inherit;font-weight:600;text-decoration:none;text-align:center;cursor:pointer}
.plain{background:none;border:1px solid var(--soft);color:var(--ink)}label{font-weight:600}form{display:grid;gap:.5rem}.said{white-space:pre-line}input,select,textarea{width:100%;min-height:48px;padding:.5rem .75rem;border:1px solid var(--soft);border-radius:14px;background:var(--card);color:inherit;font:inherit}
summary{min-height:48px;padding:.75rem 0;font-weight:600;cursor:pointer;color:var(--accent)}nav{display:flex;flex-wrap:wrap;gap:0 1rem}nav a{display:inline-flex;min-height:48px;align-items:center;color:var(--soft)}:focus-visible{outline:2px solid var(--accent);outline-offset:2px}`;

/** Nothing runs on these pages and nothing is loaded; their one style is named by its hash, and a form goes to this server alone. */
export const PAGE_POLICY = `default-src 'none'; style-src 'sha256-${createHash('sha256').update(STYLE).digest('base64')}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`;

const NAMES: Record<Language, string> = {
  en: 'English',
  hn: 'हिन्दी',
  mr: 'मराठी',
  gj: 'ગુજરાતી',
  sp: 'Español',
  bd: 'বাংলা',
  kn: 'ಕನ್ನಡ',
  tg: 'తెలుగు',
  tm: 'தமிழ்',
  pp: 'ਪੰਜਾਬੀ',
};

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
/** @returns text as it may stand in a page or an attribute. */
export const html = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

/** Says a sentence of a language, fit for a page. */
export type Say = (key: string, params?: Params) => string;
export const sayOf =
  (translations: Translations, language: Language): Say =>
  (key, params) =>
    html(translations.text(language, key, params) ?? key);

/**
 * A page for whoever has no account: no script, no cookie, nothing that is fetched.
 * @param page.title and page.body as html. @param page.path where the other languages are
 */
export function publicPage(page: { language: Language; title: string; body: string; path: string }): string {
  const { language, title, body, path } = page;
  const languages = LANGUAGES.filter((one) => one !== language).map(
    (one) => `<a href="${path}?lang=${one}" lang="${LANGUAGE_TAGS[one]}">${NAMES[one]}</a>`,
  );
  return `<!doctype html>
<html lang="${LANGUAGE_TAGS[language]}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex"><meta name="referrer" content="no-referrer">
<title>${title}</title><style>${STYLE}</style></head><body><main>
<h1>${title}</h1>
${body}
<nav>${languages.join('\n')}</nav>
</main></body></html>
`;
}
