import { expect, it } from 'vitest';
import { startHonestServer, until } from '#simulator-test/honest-server.ts';
import { FREE_POLICY } from './state.ts';
import { runTerminalPhone } from './terminal-phone.ts';

it('a phone in a terminal prints one entry for each change of its state, and no entry without one', async () => {
  const server = await startHonestServer();
  const printed: Record<string, unknown>[] = [];
  let end = () => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const done = runTerminalPhone({
    qr: server.qr(),
    imei: '490154203237518',
    agent: 'DPC',
    print: (entry) => printed.push(entry),
    ended,
  });
  await until(() => printed.some((entry) => entry['is_enrolled'] === true), 'it is set up');
  const setUp = printed.length;
  server.desired = { revision: 1, policy: { ...FREE_POLICY, lock: { level: 4, cause: 'debt', screen: null } } };
  server.wake();
  await until(() => server.reports.at(-1)?.state.lock_level === 4, 'it reports the lock');
  end();
  await done;
  expect(printed.slice(setUp)).toEqual([expect.objectContaining({ what: 'state', level: 4, revision: 1 })]);
  await server.close();
});

it('says in words that a QR is none', async () => {
  const wrong = runTerminalPhone({ qr: 'hello', agent: 'DPC', print: () => {}, ended: Promise.resolve() });
  await expect(wrong).rejects.toThrow('not a provisioning QR');
});
