import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';

const yearS = 31_536_000;

/** Inline blocks of the built page: the theme that must be there before the first paint. Only exactly these texts may run. */
export function inlineHashes(html: string, tag: 'script' | 'style'): string[] {
  const blocks = html.matchAll(new RegExp(`<${tag}(?![^>]*\\ssrc=)[^>]*>([^]*?)</${tag}>`, 'g'));
  return [...blocks].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

function contentSecurityPolicy(mode: 'demo' | 'production', indexHtml: string): string {
  const directives: Record<string, string[]> = {
    'default-src': ["'self'"],
    // The barcode reader is WebAssembly.
    'script-src': ["'self'", "'wasm-unsafe-eval'", ...inlineHashes(indexHtml, 'script')],
    'script-src-attr': ["'none'"],
    'style-src': ["'self'", ...inlineHashes(indexHtml, 'style')],
    // Positions and colours that scripts and the map compute; an attribute can not load anything that img-src forbids.
    'style-src-attr': ["'unsafe-inline'"],
    'img-src': ["'self'", 'data:', 'blob:', 'https://*.tile.openstreetmap.org'],
    'connect-src': ["'self'"],
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

/**
 * Headers of every answer, made once at boot: a library that builds them for each request took 5 % of an authenticated one.
 * A route that needs another value sets it after.
 * @param indexHtml the built page, whose inline blocks are allowed by their hashes
 */
export function addSecurityHeaders(fastify: FastifyInstance, mode: 'demo' | 'production', indexHtml = ''): void {
  const fixed = {
    'content-security-policy': contentSecurityPolicy(mode, indexHtml),
    'strict-transport-security': `max-age=${yearS}; includeSubDomains`,
    'cross-origin-opener-policy': 'same-origin',
    'cross-origin-resource-policy': 'same-origin',
    'origin-agent-cluster': '?1',
    'x-content-type-options': 'nosniff',
    'x-frame-options': 'DENY',
    'x-permitted-cross-domain-policies': 'none',
    'referrer-policy': 'same-origin',
    'permissions-policy': PERMISSIONS,
    'cache-control': 'no-store',
  };
  fastify.addHook('onRequest', (request, reply, done) => {
    reply.headers(fixed).header('x-request-id', request.id);
    done();
  });
}
