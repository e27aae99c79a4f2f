import { afterAll, beforeAll, expect, it } from 'vitest';
import type { SwitchCommand } from '@kist/contract/commands';
import { SYSTEM } from '#server/identity/identity.ts';
import { addTemplate } from '#server/notices/notices.ts';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { SCREEN_TEXTS } from '#test/screen-texts.ts';

let world: LockWorld;
beforeAll(async () => {
  world = await createLockWorld();
  await world.at('2026-03-05T12:00:00');
});
afterAll(() => world.close());

const order = ({ customerId }: Sale, type: SwitchCommand, value: string) =>
  world.inOrg((tx) => world.locking.requestSwitch(tx, world.shop, { customerId, type, reason: 'EMI_OVERDUE', value }));
const add = (name: string, texts: Record<string, unknown> = SCREEN_TEXTS) =>
  world.db.operator.transaction(ORG, (tx) => addTemplate(tx, SYSTEM(ORG), { name, texts }));
const end = (name: string) => world.inOrg((tx) => world.locking.endTemplate(tx, SYSTEM(ORG), { name }));
const shown = async ({ deviceId }: Sale) =>
  (
    await world.db.asOwner<{ text: string; revision: number }>(
      `select document ->> 'wallpaper_text' as text, revision::int from device_desired where device_id = $1`,
      [deviceId],
    )
  )[0]!;

it('a wallpaper says the organisation’s words that were chosen by name, until they are ended: then the house’s', async () => {
  const sale = await world.sell({ language: 'hn' });
  await world.day('2026-03-11');
  const own = { path: 'value', key: 'field.own_words' };
  const refused = { code: 'INVALID_INPUT', options: { fields: [own] } };
  await expect(order(sale, 'set_wallpaper', 'festival')).rejects.toMatchObject(refused);
  await add('festival');
  await expect(order(sale, 'app_lock', 'festival')).rejects.toMatchObject(refused);
  await order(sale, 'set_wallpaper', 'festival');
  const before = await shown(sale);
  expect(before.text).toMatch(/: कृपया ₹2,674 भरें। मदद: \+91\d{10}$/);
  await expect(add('festival')).rejects.toMatchObject({ code: 'STATE_CONFLICT' });
  expect(await end('festival')).toEqual({ name: 'festival', phones: 1 });
  const after = await shown(sale);
  expect(after.text).toContain('10-03-2026');
  expect(after.revision).toBeGreaterThan(before.revision);
  await expect(order(sale, 'set_wallpaper', 'festival')).rejects.toMatchObject(refused);
  await expect(end('festival')).rejects.toMatchObject({ code: 'NOT_FOUND' });
  // The name is free again; what stood there stays in the history.
  await add('festival');
  const lines = await world.db.asOwner<{ action: string; name: string }>(
    `select action, data ->> 'name' as name from audit_lines where subject_kind = 'organisation' and action like 'template%' order by seq`,
  );
  expect(lines.map(({ action, name }) => `${action} ${name}`)).toEqual([
    'template_added festival',
    'template_ended festival',
    'template_added festival',
  ]);
});

it('what could not stand on every customer’s screen is not added', async () => {
  await expect(add('bad', { ...SCREEN_TEXTS, hn: 'शर्म करो' })).rejects.toMatchObject({
    options: { details: { problems: expect.arrayContaining(['hn: says no {phone}']) } },
  });
  await expect(add('No Name')).rejects.toMatchObject({ code: 'INVALID_INPUT' });
  // Nor does the account that serves add any, past what checks them.
  const added = { name: 'own', texts: SCREEN_TEXTS };
  await expect(world.inOrg((tx) => addTemplate(tx, SYSTEM(ORG), added))).rejects.toThrow('permission denied');
  await expect(
    world.inOrg((tx) => tx.query(`update screen_templates set texts = '{}' where name = 'festival'`)),
  ).rejects.toThrow('permission denied');
});
