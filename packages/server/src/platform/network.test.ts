import fc from 'fast-check';
import { expect, test } from 'vitest';
import { networkOf, siteOf } from './network.ts';

test.each([
  ['10.1.2.3', '10.1.2.3'],
  ['::ffff:10.1.2.3', '10.1.2.3'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2::/64'],
  ['2001:db8::1', '2001:db8:0:0::/64'],
  ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ['::1', '0:0:0:0::/64'],
  ['::', '0:0:0:0::/64'],
  ['2001:db8:1:2:3:4:10.0.0.1', '2001:db8:1:2::/64'],
  ['64:ff9b::10.0.0.1', '64:ff9b:0:0::/64'],
  ['', ''],
])('%s belongs to %s', (ip, network) => {
  expect(networkOf(ip)).toBe(network);
});

test.each([
  ['10.1.2.3', '10.1.2.0/24'],
  ['::ffff:10.1.2.3', '10.1.2.0/24'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1::/48'],
  ['2001:0DB8:0001:ffff::9', '2001:db8:1::/48'],
  ['2001:db8::1', '2001:db8:0::/48'],
  ['', ''],
])('%s is at the site %s', (ip, site) => {
  expect(siteOf(ip)).toBe(site);
});

test('an IPv6 caller has one network however its address is written and whatever its lower half', () => {
  const group = fc.integer({ min: 0, max: 0xffff });
  fc.assert(
    fc.property(
      fc.tuple(group, group, group, group),
      fc.array(group, { minLength: 4, maxLength: 4 }),
      (upper, lower) => {
        const full = [...upper, ...lower].map((value) => value.toString(16));
        const padded = full.map((text) => text.padStart(4, '0').toUpperCase()).join(':');
        // As the system itself shortens it.
        const short = new URL(`http://[${full.join(':')}]/`).hostname.slice(1, -1);
        const expected = `${full.slice(0, 4).join(':')}::/64`;
        fc.pre(!short.startsWith('::ffff:'));
        expect([networkOf(padded), networkOf(short)]).toEqual([expected, expected]);
      },
    ),
  );
});
