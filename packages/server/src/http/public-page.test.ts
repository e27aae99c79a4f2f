import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { PAGE_POLICY, publicPage } from './public-page.ts';

test('a name of one long word breaks at the page’s edge, in title and text, and the style that does it is the one that may', () => {
  const page = publicPage({ language: 'en', title: 'x'.repeat(200), body: '', path: '/p' });
  const [, style = ''] = /<style>([\s\S]*)<\/style>/.exec(page) ?? [];
  expect(/main\{([^}]*)\}/.exec(style)?.[1]).toContain('overflow-wrap:anywhere');
  expect(/(?:h1|h2|p)\{[^}]*overflow-wrap:(?!anywhere)/.test(style)).toBe(false);
  expect(PAGE_POLICY).toContain(createHash('sha256').update(style).digest('base64'));
});
