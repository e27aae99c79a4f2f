import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startHonestServer, until } from '#simulator-test/honest-server.ts';
import { expect, it } from 'vitest';
import { createJournal, errorFacts } from './journal.ts';
import { serve } from './serve.ts';

/** What must never stand in a log file. */
const PRIVATE = ['Irfan', 'Shaikh', '9812345214', '490154203237518', 'RZ8N70ABCDE', '482913', 'Ihr'];

it('of whatever it is handed a line keeps what happened, no name, number or text of people', () => {
  const lines: string[] = [];
  const journal = createJournal((line) => lines.push(line));
  const phone = 'f3b1c2d4-0000-4000-8000-000000000001';
  journal({ phone, what: 'level', from: 0, to: 4, name: 'Irfan Shaikh', mobile: '+919812345214' });
  journal({
    phone: 'Irfan Shaikh',
    what: 'Irfan',
    reason: '9812345214',
    error: 'Irfan Shaikh has no network',
    imei: '490154203237518',
  });
  journal({
    what: 'ended',
    ...errorFacts(new SyntaxError('Unexpected token I, "Irfan 9812345214" is not valid JSON')),
  });
  expect(lines.map((line) => JSON.parse(line))).toEqual([
    { at: expect.any(String), phone, what: 'level', from: 0, to: 4 },
    { at: expect.any(String) },
    { at: expect.any(String), what: 'ended', error: 'SyntaxError', places: expect.stringContaining('journal.test.ts') },
  ]);
  for (const secret of PRIVATE) expect(lines.join('')).not.toContain(secret);
});

it('a wall of people’s phones, their messages and their failures leave none of them in the log', async () => {
  const server = await startHonestServer();
  const lines: string[] = [];
  const customer = { name: 'Irfan Shaikh', imei1: '490154203237518', serial: 'RZ8N70ABCDE', agent: 'DPC' };
  server.demoPhones = [
    { ...customer, qr: server.qr() },
    {
      ...customer,
      name: 'Irfan 9812345214',
      imei1: '490154203237526',
      serial: 'RZ8N70ABCDEF',
      qr: 'Irfan 9812345214 is no QR',
    },
  ];
  const lab = await serve({
    port: 0,
    serverUrl: server.url,
    smsSecret: 's',
    phones: 12,
    journal: createJournal((line) => lines.push(line)),
  });
  try {
    await fetch(`http://127.0.0.1:${lab.port}/sms/v1/messages`, {
      method: 'POST',
      headers: { authorization: 'Bearer s', 'content-type': 'application/json' },
      body: JSON.stringify({
        to: '+919812345214',
        body: 'Irfan, your code is 482913',
        template: 'otp',
        template_id: 'otp_login.en.0',
        reference: 'r',
        callback_url: 'http://127.0.0.1:9/',
      }),
    });
    await until(() => lines.some((line) => line.includes('set_up_failed')), 'a phone that could not be set up');
    await until(() => server.reports.length > 0, 'a phone that reports');
    for (const secret of PRIVATE) expect(lines.join('')).not.toContain(secret);
  } finally {
    await lab.close();
    await server.close();
  }
});

it('a program that ends over a broken file quotes nothing of it', () => {
  const state = mkdtempSync(path.join(tmpdir(), 'kist-journal-'));
  writeFileSync(path.join(state, 'sms.json'), '[{"to":"+919812345214","body":"Irfan, your code is 482913"');
  const cli = path.join(import.meta.dirname, 'cli.ts');
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [cli, 'serve', '--port', '0', '--server', 'http://127.0.0.1:9', '--state', state],
    { encoding: 'utf8', timeout: 15_000 },
  );
  rmSync(state, { recursive: true });
  expect(status).toBe(1);
  expect(stdout + stderr).toContain('SyntaxError');
  for (const secret of PRIVATE) expect(stdout + stderr).not.toContain(secret);
});
