import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { BoundedMap } from '#server/platform/bounded-map.ts';
import { type Look, branded, iconEdge, isBranded } from './brand-pages.ts';
import { type Audience, type Compress, type Encoding, type Packable, createPacking } from './packing.ts';
import { withWords, wordsWanted } from './page-words.ts';
import { pageHeaders } from './security-headers.ts';

interface Asset extends Packable {
  type: string;
  etag: string;
  cacheControl: string;
  /** Which one it is, where its address names that (`?v=`): a locale by the beginning of its content's hash, an icon by the logo that it is made of. */
  version: string | undefined;
  /** For how long it is kept under such an address; undefined where no address names a version. */
  cacheControlOfVersion: string | undefined;
  isText: boolean;
  /** Looks different for each organisation, which a header may name. */
  isBranded: boolean;
}

export interface StaticFiles {
  /** Answers with a file of the built app; false when there is none at that path. */
  serve(request: FastifyRequest, reply: FastifyReply, urlPath: string): Promise<boolean>;
}

export interface Looks {
  /** @returns undefined where no organisation is known: the app is shown without a name. */
  of(request: FastifyRequest): Promise<Look | undefined>;
  /** @returns undefined where its logo is not there in this size. */
  logo(look: Look, edge: number): Promise<Buffer | undefined>;
}

/** Organisations times files, the page once more for each language that is read there; a page with its words is 100 KB, an icon a few. */
export const LOOKS_KEPT = 500;
const PAGE = '/index.html';

const TYPES: Record<string, string> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json; charset=utf-8',
  '.webmanifest': 'application/manifest+json; charset=utf-8',
  '.svg': 'image/svg+xml; charset=utf-8',
  '.txt': 'text/plain; charset=utf-8',
  '.png': 'image/png',
  '.jpg': 'image/jpeg',
  '.webp': 'image/webp',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.wasm': 'application/wasm',
};
/** Of the hash that the build writes into the page (packages/web/vite.config.ts). */
const VERSION_LENGTH = 6;
const forEver = 'public, max-age=31536000, immutable';
const askAgain = 'no-cache';
/** Whose it is may be told by what the browser keeps: a cache that others share would hand it on. */
const dayLong = 'private, max-age=86400';

/**
 * Reads the built app into memory at boot: under 3 MB, so no request touches the disk and no path of a request ever becomes a
 * path of the file system.
 * @param shown as which organisation a request is shown the app
 * @returns undefined when nothing is built there
 */
export function loadStaticFiles(
  directory: string,
  mode: 'demo' | 'production',
  shown: Looks,
  compressAt?: Compress,
): StaticFiles | undefined {
  if (!existsSync(path.join(directory, 'index.html'))) return undefined;
  const assets = builtIn(directory);
  const text = (name: string) => assets.get(name)?.body.toString('utf8') ?? '';
  const headers = pageHeaders(mode, text(PAGE), serverOf(text('/kist-config.json')));
  const looks = new BoundedMap<string, Asset>(LOOKS_KEPT);
  const packed = createPacking(compressAt && { compressAt });
  const lookedAt = async (file: string, body: Buffer, look: Look): Promise<Buffer> => {
    const edge = look.brand.logo === null ? undefined : iconEdge(file);
    const logo = edge === undefined ? undefined : await shown.logo(look, edge);
    return logo ?? branded(file, body, look);
  };
  /** Made at the first request of an organisation and kept; a new name, colour or logo is a new one. */
  const seenBy = async (request: FastifyRequest, file: string, built: Asset): Promise<Asset> => {
    if (!isBranded(file)) return built;
    const look = await shown.of(request);
    const language = file === PAGE ? wordsWanted(request, look?.brand.languages) : undefined;
    const words = language && assets.get(`/locales/${language}.json`)?.body.toString('utf8');
    if (!look && !words) return built;
    const key = JSON.stringify([file, look, language]);
    let made = looks.get(key);
    if (!made) {
      const body = look ? await lookedAt(file, built.body, look) : built.body;
      made = {
        ...assetOf(file, language && words ? Buffer.from(withWords(body.toString('utf8'), language, words)) : body),
        version: look?.brand.logo ?? undefined,
        audience: looks.isFull ? 'beyond' : 'kept',
      };
      looks.set(key, made);
    }
    return made;
  };
  return {
    async serve(request, reply, urlPath) {
      const file = urlPath === '/' ? PAGE : urlPath;
      const built = assets.get(file);
      if (!built) return false;
      const asset = await seenBy(request, file, built);
      await sendAsset(request, reply.headers(headers), asset, packed);
      return true;
    },
  };
}

/** @returns the files of a folder by the paths that they are asked for by */
function builtIn(directory: string): Map<string, Asset> {
  const assets = new Map<string, Asset>();
  for (const entry of readdirSync(directory, { recursive: true, withFileTypes: true })) {
    if (!entry.isFile() || entry.name.endsWith('.map')) continue;
    const file = path.join(entry.parentPath, entry.name);
    const urlPath = `/${path.relative(directory, file).split(path.sep).join('/')}`;
    assets.set(urlPath, assetOf(urlPath, readFileSync(file)));
  }
  return assets;
}

/** @returns the origin that the app's own configuration sends it to; '' for this server, and for what is no configuration. */
function serverOf(configuration: string): string {
  try {
    const { baseUrl = '' } = JSON.parse(configuration) as { baseUrl?: string };
    return new URL(baseUrl).origin === baseUrl ? baseUrl : '';
  } catch {
    return '';
  }
}

const isLocale = (urlPath: string): boolean => urlPath.startsWith('/locales/');
const isIcon = (urlPath: string): boolean => urlPath.startsWith('/icons/');

function assetOf(urlPath: string, body: Buffer): Asset {
  const type = TYPES[path.extname(urlPath)] ?? 'application/octet-stream';
  const hash = createHash('sha256').update(body).digest();
  return {
    body,
    type,
    etag: hash.toString('base64url').slice(0, 27),
    version: isLocale(urlPath) ? hash.toString('hex').slice(0, VERSION_LENGTH) : undefined,
    cacheControl: urlPath.startsWith('/assets/') ? forEver : isIcon(urlPath) ? dayLong : askAgain,
    cacheControlOfVersion: isLocale(urlPath) ? forEver : isIcon(urlPath) ? dayLong : undefined,
    isText: type.includes('charset') || type === 'application/wasm',
    isBranded: isBranded(urlPath),
    audience: 'everybody' satisfies Audience,
    packed: new Map(),
  };
}

/**
 * The address of a locale carries its content's hash: then it never changes. An address that names another version than this one, as a page of before an update
 * does, or of a process that knows a new logo already, is kept by nobody as that version.
 */
function keptFor(url: string, { version, cacheControl, cacheControlOfVersion }: Asset): string {
  const asked = new URLSearchParams(url.split('?', 2)[1]).get('v');
  if (asked === null || cacheControlOfVersion === undefined) return cacheControl;
  return asked === version ? cacheControlOfVersion : askAgain;
}

async function sendAsset(
  request: FastifyRequest,
  reply: FastifyReply,
  asset: Asset,
  packed: ReturnType<typeof createPacking>,
): Promise<void> {
  const encoding =
    asset.isText && asset.body.length > 1024 ? bestEncoding(request.headers['accept-encoding']) : undefined;
  const etag = `"${asset.etag}${encoding ? `-${encoding}` : ''}"`;
  reply
    .header('cache-control', keptFor(request.url, asset))
    .header('etag', etag)
    .header('vary', asset.isBranded ? 'accept-encoding, x-org, cookie, sec-fetch-dest' : 'accept-encoding');
  if (request.headers['if-none-match']?.split(',').some((tag) => tag.trim().replace(/^W\//, '') === etag)) {
    await reply.code(304).send();
    return;
  }
  if (encoding) reply.header('content-encoding', encoding);
  await reply
    .code(200)
    .type(asset.type)
    .send(encoding ? await packed(asset, encoding) : asset.body);
}

function bestEncoding(accepted: string | string[] | undefined): Encoding | undefined {
  const names = String(accepted ?? '')
    .split(',')
    .map((part) => part.trim())
    .filter((part) => !/;\s*q=0(\.0*)?$/.test(part))
    .map((part) => part.split(';')[0]);
  return names.includes('br') ? 'br' : names.includes('gzip') ? 'gzip' : undefined;
}
