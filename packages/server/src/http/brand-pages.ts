import { brandVars } from '@kist/contract/brand';
import * as organisations from '#server/organisations/organisations.ts';
import { brandedPng, brandedSvg } from './brand-icons.ts';

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' };
const escapeHtml = (text: string): string => text.replace(/[&<>"]/g, (sign) => ESCAPES[sign] ?? sign);

/** How an organisation is asked for that has no host of its own: every address on the page carries it on. */
export interface Look {
  brand: organisations.Brand;
  isBySlug: boolean;
  isDemo: boolean;
}

/** Addresses of another logo are others: what is kept of the one before does not stay. */
function suffix({ brand, isBySlug }: Look): string {
  const query = new URLSearchParams({ ...(isBySlug && { org: brand.slug }), ...(brand.logo && { v: brand.logo }) });
  return query.size > 0 ? `?${query.toString()}` : '';
}

/**
 * index.html of an organisation. Its title, the icon's link where it has a logo, and `<meta name="brand" content="">` are what is filled; the script that runs before
 * the first paint takes name, colours and layout from there (packages/web/index.html). No inline block changes, so the policy's hashes stay right.
 */
function brandedPage(html: string, look: Look): string {
  const { name, accent, layout, languages, slug, logo } = look.brand;
  const brand = {
    name,
    layout,
    languages,
    logo: organisations.logoPath(slug, logo),
    isDemo: look.isDemo,
    light: brandVars(accent, 'light'),
    dark: brandVars(accent, 'dark'),
  };
  const query = escapeHtml(suffix(look));
  return html
    .replace(SVG_ICON, (link) => (logo ? '"/icons/icon-192.png" type="image/png"' : link))
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

/** Drawn by the house, whose sign it has. */
const SVG_ICON = '"/icons/icon.svg" type="image/svg+xml"';

function brandedManifest(text: string, look: Look): string {
  const manifest = JSON.parse(text) as { icons?: { src: string }[] };
  const query = suffix(look);
  return JSON.stringify({
    ...manifest,
    name: look.brand.name,
    short_name: shortName(look.brand.name),
    theme_color: look.brand.accent,
    icons: (manifest.icons ?? [])
      .filter(({ src }) => !(look.brand.logo && src.endsWith('.svg')))
      .map((icon) => ({ ...icon, src: `${icon.src}${query}` })),
  });
}

const text = (body: Buffer): string => body.toString('utf8');
const icon = /^\/icons\/icon-(\d+)\.png$/;
/** @returns the edge in pixels of the icon at this path; undefined for what is none. */
export const iconEdge = (urlPath: string): number | undefined => {
  const edge = icon.exec(urlPath)?.[1];
  return edge === undefined ? undefined : Number(edge);
};

/** Files that look different for each organisation, and how one is made from what was built. */
const MAKERS: Record<string, (body: Buffer, look: Look) => Buffer> = {
  '/index.html': (body, look) => Buffer.from(brandedPage(text(body), look)),
  '/manifest.webmanifest': (body, look) => Buffer.from(brandedManifest(text(body), look)),
  '/icons/icon.svg': (body, { brand }) => Buffer.from(brandedSvg(text(body), brand.accent)),
};
export const isBranded = (urlPath: string): boolean => Object.hasOwn(MAKERS, urlPath) || icon.test(urlPath);
export const branded = (urlPath: string, body: Buffer, look: Look): Buffer =>
  (MAKERS[urlPath] ?? ((png, { brand }) => brandedPng(png, brand.accent)))(body, look);
