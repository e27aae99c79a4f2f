import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { type HonestServer, startHonestServer } from '#simulator-test/honest-server.ts';
import { type RunningLab, serve } from '#simulator/serve.ts';
import type { PhoneView } from './phone-view.ts';

let server: HonestServer;
let lab: RunningLab;
let stateDir: string;
const start = async () => {
  lab = await serve({ port: 0, serverUrl: server.url, stateDir, smsSecret: 's', phones: 0, journal: () => {} });
  while (!(await fetch(url('/lab/api/phones'))).ok) await new Promise((resolve) => setTimeout(resolve, 10));
};
beforeEach(async () => {
  server = await startHonestServer();
  stateDir = mkdtempSync(path.join(tmpdir(), 'kist-owner-'));
  await start();
});
afterEach(async () => {
  await lab.close();
  await server.close();
  rmSync(stateDir, { recursive: true });
});

const url = (where: string) => `http://127.0.0.1:${lab.port}${where}`;
const post = async (where: string, body: unknown) => {
  const headers = { 'content-type': 'application/json' };
  const reply = await fetch(url(where), { method: 'POST', headers, body: JSON.stringify(body) });
  return (await reply.json()) as PhoneView;
};
const nameOf = async (id: string) =>
  ((await (await fetch(url(`/lab/api/phones/${id}`))).json()) as Pick<PhoneView, 'name'>).name;
const captionOf = async (id: string) => {
  const markup = await (await fetch(url('/lab'))).text();
  const tile = markup.slice(markup.indexOf(`id="tile-${id}"`));
  return tile.slice(tile.indexOf('<div class="caption">'), tile.indexOf('</li>')).replaceAll(/<[^>]+>|\s+/g, ' ');
};
const BOX = { brand: 'Vivo', model: 'Y28', imei: '490154203237518' };

it('a phone out of its box is called by its model, and once it is set up by its owner with the model below; after a restart too', async () => {
  const { id } = await post('/lab/api/phones', BOX);
  expect(await captionOf(id)).toMatch(/^ *Vivo Y28 +Not set up/);
  server.owners = { [BOX.imei]: 'Savita Kale' };
  await post(`/lab/api/phones/${id}/scan`, { qr: server.qr() });
  expect(await captionOf(id)).toMatch(/^ *Savita Kale +Vivo Y28 +Unlocked/);
  await lab.close();
  await start();
  expect(await nameOf(id)).toBe('Savita Kale');
  // Erased and sold to somebody else.
  server.owners = { [BOX.imei]: 'Ravi Pawar' };
  await post(`/lab/api/phones/${id}/erase`, {});
  await post(`/lab/api/phones/${id}/scan`, { qr: server.qr() });
  expect(await nameOf(id)).toBe('Ravi Pawar');
});

it('a phone that was given a name keeps it, and one whose owner the server does not tell keeps its model’s', async () => {
  server.owners = { [BOX.imei]: 'Savita Kale' };
  const { id } = await post('/lab/api/phones', { ...BOX, name: 'Test phone', qr: server.qr() });
  expect(await nameOf(id)).toBe('Test phone');
  const other = await post('/lab/api/phones', { brand: 'Vivo', model: 'Y28', qr: server.qr() });
  expect(await nameOf(other.id)).toBe('Vivo Y28');
});
