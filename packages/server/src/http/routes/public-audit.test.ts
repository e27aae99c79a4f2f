import { beforeAll, describe, expect, it } from 'vitest';
import { LANGUAGES } from '@kist/contract/codes';
import { localesDir } from '#server/compose.ts';
import * as audit from '#server/audit/audit.ts';
import { newId } from '#server/platform/ids.ts';
import { type TestApp, createOrganisation, createTestApp } from '#test/http.ts';
import { publicAuditRoutes } from './public-audit.ts';

let shop: TestApp;
const ids = Array.from({ length: 3 }, newId);
beforeAll(async () => {
  shop = await createTestApp({ settings: { localesDir }, register: publicAuditRoutes });
  await createOrganisation(shop.db, { orgId: 20 });
  await createOrganisation(shop.db, { orgId: 21 });
  await shop.db.asOwner(`update organisations set org_name = '<b>Shop & Sons</b>' where org_id = 20`);
  for (const id of ids)
    await shop.db.transaction(20, (tx) =>
      audit.append(tx, { kind: 'device', id, actor: { userId: newId(), userType: 'retailer' }, action: 'tested' }),
    );
  await audit.closeDay(shop.db, 20);
});

const get = (url: string, headers = {}) => shop.app.fastify.inject({ url, headers });
const rootOf = async () => (await shop.db.read(20, (tx) => audit.roots(tx, { limit: 1 })))[0]!;

describe('the published roots', () => {
  it('are there for everybody, as data', async () => {
    const answer = await get('/public/audit/org-20.json');
    expect(answer.statusCode).toBe(200);
    const { day, root } = await rootOf();
    expect(answer.json()).toMatchObject({
      organisation: { slug: 'org-20' },
      roots: [{ day, root, heads: 3, prev_root: '' }],
      next_before: null,
      checked_at: null,
      missing: 0,
    });
    expect(answer.payload).not.toContain(ids[0]);
  });

  it('and as a page in the reader’s language, on which nothing runs', async () => {
    const pages = new Set<string>();
    for (const language of LANGUAGES) {
      const { statusCode, payload, headers } = await get(`/public/audit/org-20?lang=${language}`);
      expect(statusCode).toBe(200);
      expect(payload).toContain((await rootOf()).root);
      expect(payload).not.toMatch(/public_audit\.|\{\{|<script|<b>Shop/);
      expect(payload).toContain('&lt;b&gt;Shop &amp; Sons&lt;/b&gt;');
      expect(headers['content-security-policy']).toMatch(/^default-src 'none'; style-src 'sha256-/);
      pages.add(payload);
    }
    expect(pages.size).toBe(LANGUAGES.length);
    expect((await get('/public/audit/org-20', { 'accept-language': 'hi-IN,en' })).payload).toContain('lang="hi"');
  });

  it('of an organisation without any say so; of none there are none', async () => {
    expect((await get('/public/audit/org-21')).payload).toContain('No seal yet');
    expect((await get('/public/audit/nobody')).statusCode).toBe(404);
    expect((await get('/public/audit/org-20?before=yesterday')).statusCode).toBe(400);
  });

  it('say the same day that a whole history was deleted with its head', async () => {
    await audit.checkRooted(shop.db, 20);
    expect((await get('/public/audit/org-20')).payload).toContain('nothing is missing');
    await shop.db.plant(
      ['audit_lines', 'audit_heads'],
      'with lines as (delete from audit_lines where subject_id = $1) delete from audit_heads where subject_id = $1',
      [ids[0]],
    );
    await audit.checkRooted(shop.db, 20);
    expect((await get('/public/audit/org-20.json')).json()).toMatchObject({ missing: 1 });
    expect((await get('/public/audit/org-20')).payload).toContain('class="bad"');
  });
});
