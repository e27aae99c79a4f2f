import { createConnection } from 'node:net';
import { once } from 'node:events';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { MailServer } from './mail-server.ts';

let server: MailServer;
let port: number;
beforeEach(async () => {
  server = new MailServer({ nowMs: () => Date.parse('2026-11-05T05:00:00Z') });
  port = await server.listen(0);
});
afterEach(() => server.stop());

/** Says SMTP by hand, one line after each answer. */
async function say(...lines: string[]): Promise<string[]> {
  const socket = createConnection(port, '127.0.0.1');
  const answers: string[] = [];
  for (const line of ['', ...lines]) {
    if (line) socket.write(`${line}\r\n`);
    answers.push(String((await once(socket, 'data'))[0]));
  }
  socket.destroy();
  return answers;
}
const mail = (id: string) =>
  [
    'From: kist@house.example',
    'To: owner@asha.example',
    'Message-ID:',
    ` <${id}@house.example>`,
    'Subject: Audit root of =?UTF-8?Q?=E0=A4=86=E0=A4=B6=E0=A4=BE?=',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    'Day: 2026-11-04',
    'Root: 0123456789=',
    'abcdef =E0=A4=86',
    '.',
  ].join('\r\n');
const send = (id: string, to = 'owner@asha.example') =>
  say('EHLO me', 'MAIL FROM:<kist@house.example>', `RCPT TO:<${to}>`, 'DATA', mail(id));

it('takes a mail by SMTP and shows it as whoever reads mail sees it; one mail that comes twice is one', async () => {
  const answers = await send('a');
  expect(answers.map((answer) => answer.slice(0, 3))).toEqual(['220', '250', '250', '250', '354', '250']);
  await send('a');
  await send('a', 'auditor@books.example');
  expect(server.outbox().map(({ to }) => to)).toEqual([['auditor@books.example'], ['owner@asha.example']]);
  expect(server.outbox()[1]).toMatchObject({
    message_id: '<a@house.example>',
    from: 'kist@house.example',
    subject: 'Audit root of आशा',
    at: '2026-11-05T05:00:00.000Z',
  });
  expect(server.outbox()[1]!.text.replaceAll('\r', '')).toContain('Day: 2026-11-04\nRoot: 0123456789abcdef आ');
});
