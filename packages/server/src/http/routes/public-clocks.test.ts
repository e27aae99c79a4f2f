import path from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { localesDir } from '#server/compose.ts';
import { sayOf } from '#server/http/public-page.ts';
import { loadTranslations } from '#server/platform/translations.ts';
import { type TestApp, createOrganisation, createTestApp } from '#test/http.ts';
import { durationText, pageOf, publicClockRoutes } from './public-clocks.ts';

let shop: TestApp;
beforeAll(async () => {
  shop = await createTestApp({ settings: { localesDir }, register: publicClockRoutes });
  await createOrganisation(shop.db, { orgId: 20 });
  await shop.db.asOwner(`update organisations set org_name = '<b>Shop & Sons</b>' where org_id = 20`);
});
const get = (url: string) => shop.app.fastify.inject({ url });

it('are there for everybody, as data and as a page in the reader’s language, on which nothing runs', async () => {
  expect((await get('/public/clocks/org-20.json')).json()).toMatchObject({
    organisation: { slug: 'org-20' },
    days: 90,
    notice_to_level: { locks: 0, early: 0 },
    cure_to_unlock: { cures: 0, owed_paise: 0 },
  });
  const pages = new Set<string>();
  for (const language of LANGUAGES) {
    const { statusCode, payload, headers } = await get(`/public/clocks/org-20?lang=${language}`);
    expect(statusCode).toBe(200);
    expect(payload).not.toMatch(/public_clocks\.|\{\{|<script|<b>Shop/);
    expect(payload).toContain('&lt;b&gt;Shop &amp; Sons&lt;/b&gt;');
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
    pages.add(payload);
  }
  expect(pages.size).toBe(LANGUAGES.length);
  expect((await get('/public/clocks/nobody')).statusCode).toBe(404);
});

it('say of a few cases in every language that they are too few to tell, and show none', () => {
  const lock = { locks: null, early: 0, p50_s: null, least_s: null, is_too_few: true } as const;
  const unlock = {
    cures: null,
    unconfirmed: null,
    late: null,
    wrongful: null,
    p50_s: null,
    p95_s: null,
    worst_s: null,
  } as const;
  const clocks = {
    days: 90,
    notice_to_level: lock,
    cure_to_unlock: { ...unlock, owed_paise: null, is_too_few: true as const },
  };
  const words = loadTranslations(path.join(localesDir, 'more'));
  const saying = new Set<string>();
  for (const language of LANGUAGES) {
    const page = pageOf(sayOf(words, language), { slug: 'org-20', name: 'Shop', language, clocks });
    expect(page).not.toMatch(/public_clocks\.|\{\{|<li>|null/);
    const few = page.match(/<p>[^<]*5[^<]*<\/p>/g) ?? [];
    expect([language, few.length]).toEqual([language, 2]);
    saying.add(few[0]!);
  }
  expect(saying.size).toBe(LANGUAGES.length);
});

it('say times as people do', () => {
  expect([1, 119, 120, 7199, 7200, 200_000].map((seconds) => durationText(seconds, 'en'))).toEqual([
    '1 second',
    '119 seconds',
    '2 minutes',
    '119 minutes',
    '2 hours',
    '2 days',
  ]);
  for (const language of LANGUAGES) expect(durationText(300, language)).toMatch(/^5\D/);
});
