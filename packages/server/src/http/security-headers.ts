import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const yearS = 31_536_000;

/** Inline blocks of the built page: the theme that must be there before the first paint. Only exactly these texts may run. */
export function inlineHashes(html: string, tag: 'script' | 'style'): string[] {
  const blocks = html.matchAll(new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>([^]*?)</${tag}>`, 'g'));
  return [...blocks].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

function contentSecurityPolicy(mode: 'demo' | 'production', indexHtml: string, server: string): string {
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    // The barcode reader is WebAssembly.
    'script-src': ["'self'", "'wasm-unsafe-eval'", ...inlineHashes(indexHtml, 'script')],
    'script-src-attr': ["'none'"],
    'style-src': ["'self'", ...inlineHashes(indexHtml, 'style')],
    // Positions and colours that scripts and the map compute; an attribute can not load anything that img-src forbids.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', 'https://*.tile.openstreetmap.org'],
    'connect-src': ["'self'", ...(server ? [server] : [])],
    'worker-src': ["'self'", 'blob:'],
    'manifest-src': ["'self'"],
    'font-src': ["'self'"],
    'object-src': ["'none'"],
    'base-uri': ["'none'"],
    'form-action': ["'self'"],
    'frame-ancestors': ["'none'"],
    // A demo on a LAN speaks plain HTTP; the directive would send its own files to a port that does not answer.
    ...(mode === 'production' ? { 'upgrade-insecure-requests': [] } : {}),
  };
  return Object.entries(directives)
    .map(([name, sources]) => [name, ...sources].join(' '))
    .join(';');
}

/** What the app itself uses of the phone, and nobody it might embed. */
const PERMISSIONS =
  'camera=(self), geolocation=(self), otp-credentials=(self), clipboard-write=(self), microphone=(), payment=(), usb=()';

/** What a browser that is shown this answer by itself must not do with it. The app's own files say more, see `pageHeaders`. */
const NOTHING_RUNS = "default-src 'none'; frame-ancestors 'none'";

/**
 * Headers of every answer, made once: a library that builds them for each request took 5 % of an authenticated one. Only what an answer to a program
 * needs, for a phone on a slow network pays for every byte. A route that needs another value sets it after.
 */
export function addSecurityHeaders(fastify: FastifyInstance): void {
  const fixed = {
    'content-security-policy': NOTHING_RUNS,
    'strict-transport-security': `max-age=${yearS}; includeSubDomains`,
    'cross-origin-resource-policy': 'same-origin',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'referrer-policy': 'same-origin',
    'cache-control': 'no-store',
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed).header('x-request-id', request.id);
    done();
  });
}

/**
 * What the app's files say besides: the page, its scripts and its worker live under this policy.
 * @param indexHtml the built page, whose inline blocks are allowed by their hashes
 * @param server origin of the server that the page calls, where it is another than its own
 */
export const pageHeaders = (
  mode: 'demo' | 'production',
  indexHtml: string,
  server: string,
): Record<string, string> => ({
  'content-security-policy': contentSecurityPolicy(mode, indexHtml, server),
  'cross-origin-opener-policy': 'same-origin',
  'origin-agent-cluster': '?1',
  'x-permitted-cross-domain-policies': 'none',
  'permissions-policy': PERMISSIONS,
});
