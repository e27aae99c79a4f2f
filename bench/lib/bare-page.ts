import { inRoot } from '#scripts/lib/root.mjs';

/** The least page that React makes: one heading and one field. Bundled with the same React, in this run. */
export async function barePage(): Promise<{ html: string; js: string }> {
  const { build } = await import('esbuild');
  const { outputFiles } = await build({
    stdin: {
      contents: `import { createElement as h } from 'react';
import { createRoot } from 'react-dom/client';
createRoot(document.getElementById('root')).render(h('main', null, h('h1', null, 'Hello'), h('input', { type: 'tel', 'aria-label': 'Mobile' })));`,
      resolveDir: inRoot('packages', 'web', 'src'),
      loader: 'js',
    },
    bundle: true,
    write: false,
    minify: true,
    format: 'esm',
    target: 'es2022',
    define: { 'process.env.NODE_ENV': '"production"' },
  });
  const html =
    '<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Bare</title><script type="module" src="/bare.js"></script></head><body><div id="root"></div></body></html>';
  return { html, js: outputFiles[0]!.text };
}
