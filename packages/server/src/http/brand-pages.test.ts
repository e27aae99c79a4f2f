import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { localesDir } from '#server/compose.ts';
import type { Brand } from '#server/organisations/organisations.ts';
import { branded } from './brand-pages.ts';
import { inlineHashes } from './security-headers.ts';

/** As it is written, before the build fills it: what is the organisation's stands in it already. */
const web = path.join(localesDir, '../..');
const page = readFileSync(path.join(web, 'index.html'));
const manifest = readFileSync(path.join(web, 'public/manifest.webmanifest'));

const brand: Brand = {
  orgId: 21,
  slug: 'asha',
  name: 'Asha',
  accent: '#0b7a4b',
  layout: 'compact',
  languages: ['en', 'mr'],
  logo: null,
};
const look = (name: string) => ({ brand: { ...brand, name }, isBySlug: true, isDemo: false });
const tagsOf = (html: string) => html.match(/<\/?[a-z][a-z0-9]*(?=[\s>/])/gi);
const unescaped = (text: string) =>
  text.replaceAll('&quot;', '"').replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');

const NAMES = [
  '</title><script>alert(1)</script>',
  '"><img src=x onerror=alert(2)>',
  `' onload='alert(3)`,
  '<!--',
  '-->',
  ']]><svg/onload=alert(4)>',
  '&lt;script&gt;alert(5)&lt;/script&gt;',
  '&quot;><b>',
  String.raw`\u003cimg src=x onerror=alert(6)\u003e`,
  String.raw`","light":{"--accent":"url(//x)"},"x":"\\`,
  "$&$`$'$1",
  '{{constructor.constructor("alert(7)")()}}',
  'javascript:alert(8)',
  '</style><style>*{display:none}</style>',
  '\u2028alert(9)\u2029',
  '</SCRIPT\t><sCrIpT src=//x>',
];

test.each(NAMES)('an organisation that is called %j is called so on its page, and nothing else comes of it', (name) => {
  const html = branded('/index.html', page, look(name)).toString();
  expect(tagsOf(html)).toEqual(tagsOf(branded('/index.html', page, look('Asha')).toString()));
  expect(unescaped(/<title>([^<]*)<\/title>/.exec(html)![1]!)).toBe(name);
  const { light, name: told } = JSON.parse(unescaped(/name="brand" content="([^"]*)"/.exec(html)![1]!));
  expect([told, light['--accent']]).toEqual([name, '#0b7a4b']);
  for (const tag of ['script', 'style'] as const)
    expect(inlineHashes(html, tag)).toEqual(inlineHashes(page.toString(), tag));
});

test.each(NAMES)('%j stands in the manifest as it is, and on the home screen as a part of it', (name) => {
  const made = JSON.parse(branded('/manifest.webmanifest', manifest, look(name)).toString());
  expect(made).toMatchObject({ id: '/', name, scope: '/', start_url: '/dashboard', theme_color: '#0b7a4b' });
  expect(name).toContain(made.short_name);
});

test('an organisation with a logo has it as its icon: in the page, before anything runs, and on the home screen', () => {
  const seen = { ...look('Asha'), brand: { ...brand, logo: '0123456789ab' } };
  const html = branded('/index.html', page, seen).toString();
  expect(html).toContain('<link rel="icon" href="/icons/icon-192.png?org=asha&amp;v=0123456789ab" type="image/png" />');
  const told = JSON.parse(unescaped(/name="brand" content="([^"]*)"/.exec(html)![1]!));
  expect(told).toMatchObject({
    logo: '/icons/icon-192.png?org=asha&v=0123456789ab',
    layout: 'compact',
    languages: ['en', 'mr'],
  });
  const { icons } = JSON.parse(branded('/manifest.webmanifest', manifest, seen).toString());
  expect(icons.map(({ src }: { src: string }) => src)).toEqual([
    '/icons/icon-192.png?org=asha&v=0123456789ab',
    '/icons/icon-512.png?org=asha&v=0123456789ab',
    '/icons/icon-512.png?org=asha&v=0123456789ab',
  ]);
  expect(branded('/index.html', page, look('Asha')).toString()).toContain('href="/icons/icon.svg?org=asha"');
});
