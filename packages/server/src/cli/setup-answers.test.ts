import { expect, test } from 'vitest';
import { problemsOf } from './setup-answers.ts';

test.each(['sms_url', 'smtp_url', 'public_url', 'agent_package_url'])(
  'an address (%s) that a file of variables would not give back whole is refused',
  (name) => {
    const scheme = name === 'smtp_url' ? 'smtps' : 'https';
    const wrong = (address: string) =>
      problemsOf({ server: { [name]: address } }).filter(({ path }) => path === `server.${name}`).length;
    expect([`${scheme}://a.example.in/#x`, `${scheme}://a.example.in/'x`].map(wrong)).toEqual([1, 1]);
    expect(wrong(`${scheme}://a.example.in`)).toBe(0);
  },
);
