import { brandVars } from '@kist/contract/brand';
import type { Brand } from '#server/organisations/organisations.ts';
import { brandedPng, brandedSvg } from './brand-icons.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

/** How an organisation is asked for that has no host of its own: every address on the page carries it on. */
export interface Look {
  brand: Brand;
  isBySlug: boolean;
  isDemo: boolean;
}

const suffix = ({ brand, isBySlug }: Look): string => (isBySlug ? `?org=${encodeURIComponent(brand.slug)}` : '');

/**
 * index.html of an organisation. Its title and `<meta name="brand" content="">` are the places that are filled; the script that runs before
 * the first paint takes name and colours from there (packages/web/index.html). No inline block changes, so the policy's hashes stay right.
 */
function brandedPage(html: string, look: Look): string {
  const { name, accent } = look.brand;
  const brand = { name, isDemo: look.isDemo, light: brandVars(accent, 'light'), dark: brandVars(accent, 'dark') };
  const query = suffix(look);
  return html
    .replace(/<title>[^<]*<\/title>/, () => `<title>${escapeHtml(name)}</title>`)
    .replace(
      /(<meta name="brand" content=")[^"]*"/,
      (_whole, start: string) => `${start}${escapeHtml(JSON.stringify(brand))}"`,
    )
    .replaceAll(
      /(<link [^>]*href="\/(?:manifest\.webmanifest|icons\/[\w.-]+))"/g,
      (_whole, start: string) => `${start}${query}"`,
    );
}

/** Room under an icon on the home screen: a longer name is cut at a word. */
const SHORT_NAME = 12;
const shortName = (name: string): string =>
  name.length <= SHORT_NAME
    ? name
    : name
        .slice(0, SHORT_NAME + 1)
        .replace(/\s+\S*$/u, '')
        .slice(0, SHORT_NAME);

function brandedManifest(text: string, look: Look): string {
  const manifest = JSON.parse(text) as { icons?: { src: string }[] };
  const query = suffix(look);
  return JSON.stringify({
    ...manifest,
    name: look.brand.name,
    short_name: shortName(look.brand.name),
    theme_color: look.brand.accent,
    icons: (manifest.icons ?? []).map((icon) => ({ ...icon, src: `${icon.src}${query}` })),
  });
}

const text = (body: Buffer): string => body.toString('utf8');
const icon = /^\/icons\/icon-\d+\.png$/;

/** Files that look different for each organisation, and how one is made from what was built. */
const MAKERS: Record<string, (body: Buffer, look: Look) => Buffer> = {
  '/index.html': (body, look) => Buffer.from(brandedPage(text(body), look)),
  '/manifest.webmanifest': (body, look) => Buffer.from(brandedManifest(text(body), look)),
  '/icons/icon.svg': (body, { brand }) => Buffer.from(brandedSvg(text(body), brand.accent)),
};
export const isBranded = (urlPath: string): boolean => Object.hasOwn(MAKERS, urlPath) || icon.test(urlPath);
export const branded = (urlPath: string, body: Buffer, look: Look): Buffer =>
  (MAKERS[urlPath] ?? ((png, { brand }) => brandedPng(png, brand.accent)))(body, look);
