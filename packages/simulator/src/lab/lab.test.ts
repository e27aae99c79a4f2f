import { mkdtempSync, readdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LANGUAGES } from '@kist/contract/codes';
import { TOKENS, tokenVars } from '@kist/contract/tokens';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { Shop } from '#simulator-test/guard-play.ts';
import { startHonestServer, until } from '#simulator-test/honest-server.ts';
import type { HonestServer } from '#simulator-test/honest-server.ts';
import type { GuardTenant } from '#simulator/clouds/guard/guard-cloud.ts';
import type { GuardPhoneView } from '#simulator/clouds/guard/switches.ts';
import { FREE_POLICY } from '#simulator/phones/android/state.ts';
import { serve } from '#simulator/serve.ts';
import type { RunningLab } from '#simulator/serve.ts';
import type { PhoneView } from './phone-view.ts';
import { html } from './render/html.ts';
import { lockWords } from './words/lock-words.ts';
import { clockBody } from './world-clock.ts';

let server: HonestServer;
let lab: RunningLab;
let stateDir: string;

const start = async (guardTenants: GuardTenant[] = []): Promise<RunningLab> => {
  const running = await serve({
    port: 0,
    serverUrl: server.url,
    stateDir,
    smsSecret: 's',
    phones: 12,
    guardTenants,
    journal: () => {},
  });
  await untilAnswer(running.port);
  return running;
};
const untilAnswer = async (port: number) => {
  for (;;) {
    const response = await fetch(`http://127.0.0.1:${port}/lab/api/phones`);
    if (response.ok) return;
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
};
beforeEach(async () => {
  server = await startHonestServer();
  stateDir = mkdtempSync(path.join(tmpdir(), 'kist-lab-'));
  lab = await start();
});
afterEach(async () => {
  await lab.close();
  await server.close();
  rmSync(stateDir, { recursive: true });
});

const url = (where: string) => `http://127.0.0.1:${lab.port}${where}`;
const get = async <T>(where: string): Promise<T> => (await (await fetch(url(where))).json()) as T;
const post = async (where: string, body: unknown, type = 'application/json') => {
  const response = await fetch(url(where), {
    method: 'POST',
    headers: { 'content-type': type },
    body: JSON.stringify(body),
  });
  return {
    status: response.status,
    body: (await response.json()) as { error?: string; id?: string; phone?: PhoneView },
  };
};
const phones = async (): Promise<PhoneView[]> => (await get<{ phones: PhoneView[] }>('/lab/api/phones')).phones;
const phone = (id: string) => get<PhoneView>(`/lab/api/phones/${id}`);

const held = {
  language: 'hn',
  shop: '<b>Sunita</b>',
  shop_phone: '9000000001',
  agreement_no: '20-00471',
  amount_paise: 428_100,
  due_since: '2026-07-05',
  instalments_due: 3,
  upi_uri: 'upi://pay?pa=a@upi',
  reason: 'EMI_OVERDUE',
};
const orderLock = (revision: number, level: 0 | 4) => {
  server.desired = {
    revision,
    policy: { ...FREE_POLICY, lock: { level, cause: level ? 'debt' : null, screen: level ? held : null } },
  };
  server.wake();
};

describe('the control API', () => {
  it('sets a phone up from a QR and presses its switches; each UPI code that it shows has a tr of its own', async () => {
    const made = await post('/lab/api/phones', { name: 'Asha', imei: '490154203237518', qr: server.qr() });
    const id = made.body.id!;
    expect(await phone(id)).toMatchObject({
      name: 'Asha',
      is_enrolled: true,
      managed: { lock_level: 0 },
      screen: { kind: 'home' },
    });
    orderLock(1, 4);
    await until(() => server.reports.at(-1)?.state.lock_level === 4, 'it reports the lock');
    expect(await phone(id)).toMatchObject({
      screen: { kind: 'kiosk', language: 'hn', due: { amount_paise: 428_100 } },
    });
    const codeOf = async () => (await phone(id)).screen.due!.upi_uri!;
    const shown = await codeOf();
    await post(`/lab/api/phones/${id}/touch`, { sheet: 'pay' });
    expect(await codeOf()).toBe(shown);
    await post(`/lab/api/phones/${id}/touch`, { sheet: null });
    const [before, after] = [shown, await codeOf()].map((link) => new URLSearchParams(link.split('?')[1]));
    expect(after!.get('tr')).toMatch(/^[A-Za-z0-9]{13,35}$/);
    expect(after!.get('tr')).not.toBe(before!.get('tr'));
    expect(after!.get('am')).toBe(before!.get('am'));
    for (const [action, body] of [
      ['network', { on: false }],
      ['battery', { pct: 40 }],
      ['sim', {}],
      ['clock', { by_ms: -86_400_000 }],
      ['dispute', { text: 'I paid' }],
      ['claim_paid', {}],
    ] as const) {
      expect((await post(`/lab/api/phones/${id}/${action}`, body)).status, action).toBe(200);
    }
    const told = (await phone(id)).managed!.events_waiting;
    expect(told).toBeGreaterThanOrEqual(4);
    await post(`/lab/api/phones/${id}/network`, { on: true });
    await until(
      () =>
        server.disputes.length > 0 ||
        server.reports.some((report) => report.events.some((event) => event.kind === 'dispute')),
      'the dispute arrives',
    );
    expect((await post(`/lab/api/phones/${id}/lie`, { lie: 'forged_signature' })).body).toMatchObject({
      result: { server_said: '400 AGENT_SIGNATURE_INVALID' },
    });
    await post(`/lab/api/phones/${id}/erase`, {});
    expect(await phone(id)).toMatchObject({ is_enrolled: false, managed: null, screen: { kind: 'setup' } });
  });

  it('refuses in words: malformed, unknown, not now, from another site', async () => {
    const spare = (await post('/lab/api/phones', {})).body;
    expect(await post('/lab/api/phones', { imei: '12' })).toMatchObject({ status: 400 });
    expect(await post(`/lab/api/phones/${spare.id}/network`, { on: 'yes' })).toMatchObject({
      status: 400,
      body: { error: expect.stringContaining('on') },
    });
    expect(await post(`/lab/api/phones/${spare.id}/network`, { on: true }, 'text/plain')).toMatchObject({
      status: 415,
    });
    expect(await post(`/lab/api/phones/${spare.id}/explode`, {})).toMatchObject({ status: 404 });
    expect(await post('/lab/api/phones/none/network', { on: true })).toMatchObject({ status: 404 });
    expect(await post(`/lab/api/phones/${spare.id}/dispute`, { text: 'x' })).toMatchObject({ status: 409 });
    expect(await post(`/lab/api/phones/${spare.id}/scan`, { qr: 'https://example.org' })).toMatchObject({
      status: 409,
      body: { error: expect.stringContaining('QR') },
    });
    const before = (await phones()).length;
    expect(await post('/lab/api/phones', { qr: '{}' })).toMatchObject({ status: 409 });
    expect(await phones()).toHaveLength(before);
  });

  it('moves the world’s clock and every phone with it, off the network too', async () => {
    const { id } = (await post('/lab/api/phones', { qr: server.qr() })).body;
    await post(`/lab/api/phones/${id}/network`, { on: false });
    const before = Date.parse((await phone(id!)).managed!.trusted_time);
    expect((await post('/lab/api/clock', { move: 'day' })).status).toBe(200);
    expect(Date.parse((await phone(id!)).managed!.trusted_time) - before).toBeGreaterThanOrEqual(86_400_000);
  });
});

it('jumps to the minute after the moment of what comes next, and never back', () => {
  const nowMs = Date.parse('2026-11-20T10:00:30Z');
  expect(clockBody({ to: '2026-11-20T10:02:00Z' }, nowMs)).toEqual({ advance_minutes: 3 });
  expect(clockBody({ to: '2026-11-23T04:30:00Z' }, nowMs)).toEqual({ advance_days: 2, advance_minutes: 18 * 60 + 31 });
  expect(() => clockBody({ to: '2026-11-20T10:00:00Z' }, nowMs)).toThrow('over');
});

describe('phones', () => {
  it('survive a restart with their key, and the time between counts', async () => {
    const { id } = (await post('/lab/api/phones', { qr: server.qr() })).body;
    const before = await phone(id!);
    await lab.close();
    server.shiftMs = 3 * 86_400_000;
    lab = await start();
    const after = await phone(id!);
    expect(after.managed!.keyid).toBe(before.managed!.keyid);
    expect(Date.parse(after.managed!.trusted_time) - Date.parse(before.managed!.trusted_time)).toBeGreaterThanOrEqual(
      3 * 86_400_000,
    );
    orderLock(1, 4);
    await until(() => server.reports.at(-1)?.state.revision === 1, 'it still speaks with its key');
    const files = readdirSync(path.join(stateDir, 'phones'));
    expect(files.map((name) => statSync(path.join(stateDir, 'phones', name)).mode & 0o077)).toEqual(files.map(() => 0));
  });

  it('of the demo are set up once, and again when the server is a new one', async () => {
    await lab.close();
    const imei1 = '490154203237518';
    server.demoPhones = [
      {
        name: 'Demo',
        qr: JSON.parse(server.qr()) as unknown,
        imei1,
        serial: 'D1',
        brand: 'Vivo',
        model: 'Y28',
        agent: 'DPC',
      },
    ];
    lab = await start();
    const demo = async () => (await phones()).find((one) => one.name === 'Demo');
    const isSetUp = async () => (await demo())?.is_enrolled === true;
    while (!(await isSetUp())) await new Promise((resolve) => setTimeout(resolve, 10));
    const first = (await demo())!.managed!.keyid;
    await lab.close();
    await server.close();
    server = await startHonestServer();
    server.demoPhones = [{ name: 'Demo', qr: server.qr(), imei1, serial: 'D1' }];
    lab = await start();
    while ((await demo())?.managed?.keyid === first || !(await isSetUp()))
      await new Promise((resolve) => setTimeout(resolve, 10));
    expect((await phones()).filter((one) => one.imei[0] === imei1)).toHaveLength(1);
  });
});

describe('a phone in use', () => {
  const inUse = async () => (await post('/lab/api/phones', { name: 'Ravi', agent: 'LINKFL' })).body.id!;
  const markupOf = async (id: string) => (await fetch(url(`/lab?phone=${id}`))).text();

  it('opens the link, fetches the agent, asks its holder in their language, enrols and reports; nothing is erased', async () => {
    const id = await inUse();
    const before = await phone(id);
    expect((await post(`/lab/api/phones/${id}/open_link`, { link: server.link(), language: 'hn' })).status).toBe(200);
    const words = lockWords('hn');
    const asked = await markupOf(id);
    for (const text of [words.consentTitle, words.consentText, words.agree]) expect(asked).toContain(text);
    expect(server.reports).toEqual([]);
    expect(await phone(id)).toMatchObject({ is_enrolled: false, sheet: 'consent' });

    expect((await post(`/lab/api/phones/${id}/consent`, { agreed: true })).status).toBe(200);
    await until(() => server.reports.length > 0, 'it reports');
    const after = await phone(id);
    expect(after).toMatchObject({ is_enrolled: true, sheet: null, managed: { strength: 'advisory', lock_level: 0 } });
    expect([after.boot_count, after.sims, after.serial]).toEqual([before.boot_count, before.sims, before.serial]);
  });

  it('stays a plain phone when its holder says no, and takes nothing that is no link', async () => {
    const id = await inUse();
    await post(`/lab/api/phones/${id}/open_link`, { link: server.link() });
    expect((await post(`/lab/api/phones/${id}/consent`, { agreed: false })).status).toBe(200);
    expect(await phone(id)).toMatchObject({ is_enrolled: false, sheet: null });
    expect((await post(`/lab/api/phones/${id}/consent`, { agreed: true })).status).toBe(409);
    expect((await post(`/lab/api/phones/${id}/open_link`, { link: `${server.url}/emm/other#x` })).status).toBe(409);
    const boxed = (await post('/lab/api/phones', { name: 'Boxed' })).body.id!;
    expect((await post(`/lab/api/phones/${boxed}/open_link`, { link: server.link() })).status).toBe(409);
    expect(server.reports).toEqual([]);
  });
});

describe('the page', () => {
  it('shows a held phone with all it must and escapes what others wrote', async () => {
    const { id } = (await post('/lab/api/phones', { name: '<script>', qr: server.qr() })).body;
    orderLock(1, 4);
    await until(() => server.reports.at(-1)?.state.lock_level === 4, 'it is held');
    const response = await fetch(url(`/lab?phone=${id}`));
    const markup = await response.text();
    expect(response.headers.get('content-security-policy')).toContain("script-src 'self'");
    expect(markup).not.toMatch(/<script>|<b>Sunita|style="| on\w+="/);
    expect(markup).toContain('&lt;b&gt;Sunita');
    const words = lockWords('hn');
    for (const text of [
      '4,281',
      '20-00471',
      '05-07-2026',
      words.titleKiosk,
      words.payUpi,
      words.havePaid,
      words.isWrong,
      words.keeps,
      words.emergency,
    ]) {
      expect(markup).toContain(text);
    }
  });

  it('wears the house colours, by day and by night', async () => {
    const style = await (await fetch(url('/lab/style.css'))).text();
    for (const mode of ['light', 'dark'] as const) expect(style).toContain(tokenVars(mode));
    // The screens of the phones are as by day whatever the page is, so they take it by another name.
    expect(style).toContain(`--house: ${TOKENS.light.accent};`);
    expect(style.match(/var\(--house\)/g)).toHaveLength(4);
    expect(await (await fetch(url('/lab/icon.svg'))).text()).toContain(`fill="${TOKENS.light.accent}"`);
  });

  it('is kept alive by events that carry only what changed', async () => {
    const { id } = (await post('/lab/api/phones', { qr: server.qr() })).body;
    const stream = await fetch(url(`/lab/events?phone=${id}`));
    const reader = stream.body!.pipeThrough(new TextDecoderStream()).getReader();
    let seen = '';
    const read = async (wanted: string) => {
      while (!seen.includes(wanted)) seen += (await reader.read()).value ?? '';
    };
    await read(`"tile-${id}"`);
    seen = '';
    await post(`/lab/api/phones/${id}/network`, { on: false });
    await read('No network');
    const others = (await phones()).filter((one) => one.id !== id);
    for (const other of others) expect(seen).not.toContain(`"tile-${other.id}"`);
    await reader.cancel();
  });

  it('escapes every value it is given', () => {
    expect(html`<a title="${'"><img>'}">${['<', html`<b>ok</b>`, null, false]}</a>`.text).toBe(
      '<a title="&quot;&gt;&lt;img&gt;">&lt;<b>ok</b></a>',
    );
  });
});

describe('the vendor’s lock service', () => {
  it('is not there when no shop has it', async () => {
    expect((await fetch(url('/lab/api/guard'))).status).toBe(404);
    expect((await fetch(url('/guard/v1/oauth/token'), { method: 'POST' })).status).toBe(404);
    expect(await (await fetch(url('/lab?view=guard'))).text()).not.toContain('Lock service');
  });

  it('stands on the lab’s port with its phones, which ask by themselves, and on the page, over a restart', async () => {
    const shop = await Shop.open('one');
    try {
      await lab.close();
      lab = await start([shop.tenant]);
      shop.url = url('');
      await shop.logIn();
      const { id, imei } = (await post('/lab/api/guard/phones', { name: '<i>Ravi' })).body as unknown as GuardPhoneView;
      const page = async () => (await fetch(url('/lab?view=guard'))).text();
      expect(await page()).toContain('Nothing ordered');
      const { results } = await shop.done('/devices/upload', { devices: [{ imei }] });
      await shop.done('/devices/approve', { devices: [{ imei }] });
      await post(`/lab/api/guard/phones/${id}/network`, { on: true });
      await until(() => shop.types().includes('device.enrolled'), 'it asked');
      await shop.order(results[0]!.device_id!, 1, true, { title: '<b>Pay', phone_number: '+919000000001' });
      await post(`/lab/api/guard/phones/${id}/network`, { on: true });
      await until(() => shop.types().includes('device.applied'), 'it told');
      await lab.close();
      lab = await start([shop.tenant]);
      const markup = await page();
      for (const text of [
        '&lt;i&gt;Ravi',
        '&lt;b&gt;Pay',
        '+919000000001',
        'Locked',
        'Lock service',
        'enrolled · ordered 1, done 1',
        'data-form="pin"',
      ])
        expect(markup).toContain(text);
      expect(markup).not.toMatch(/<i>Ravi|<b>Pay/);
      await post('/lab/api/guard/faults', { is_down: true });
      expect(await page()).toMatch(/aria-checked="true"[^>]*data-guard="is_down"/);
    } finally {
      await shop.close();
    }
  });
});

describe('words and times', () => {
  it('all ten languages say everything, with the same blanks', () => {
    const blanks = (text: string) => (text.match(/\{\w+\}/g) ?? []).sort();
    const english = lockWords('en');
    for (const language of LANGUAGES) {
      const words = lockWords(language);
      for (const [key, text] of Object.entries(english) as [keyof typeof english, string][]) {
        expect(words[key].trim(), `${language}.${key}`).not.toBe('');
        expect(blanks(words[key]), `${language}.${key}`).toEqual(blanks(text));
      }
    }
  });

  it('half past ten is the next one', () => {
    expect(clockBody({ move: 'half_past_ten' }, Date.parse('2026-11-05T04:00:00Z'))).toEqual({ set_time: '10:30' });
    expect(clockBody({ move: 'half_past_ten' }, Date.parse('2026-11-05T05:00:00Z'))).toEqual({
      advance_days: 1,
      set_time: '10:30',
    });
  });
});
