import { expect, it } from 'vitest';
import { shownAnew, upiLink } from './upi.ts';

const ask = { upiId: 'asha@upi', payee: 'Asha & Sons', amountPaise: 2_674_05, agreementNo: 'KIST/26-27/000142' };
/** Every value that the link gives a name, decoded. */
const valuesOf = (link: string, name: string): string[] =>
  link
    .split('?')[1]!
    .split('&')
    .flatMap((part) => (part.startsWith(`${name}=`) ? [decodeURIComponent(part.slice(name.length + 1))] : []));
const trOf = (link: string): string => valuesOf(link, 'tr')[0]!;

it('a link says whom, how much and for which agreement, as UPI apps read it', () => {
  const link = upiLink(ask, 'AAAA1111');
  expect(link.startsWith('upi://pay?pa=asha@upi&pn=Asha%20%26%20Sons&am=2674.05&cu=INR&tr=')).toBe(true);
  expect(trOf(link)).toBe('KIST2627000142AAAA1111');
  expect(valuesOf(link, 'tn')).toEqual(['EMI KIST/26-27/000142']);
});

it('each code has a tr of its own, within 35 letters and digits, whatever the number and the mark', () => {
  const one = trOf(upiLink(ask, 'x'.repeat(40)));
  const two = trOf(upiLink({ ...ask, agreementNo: '9'.repeat(40) }, 'f0a1-b2c3-d4e5'));
  for (const tr of [one, two]) expect(tr).toMatch(/^[A-Za-z0-9]{1,35}$/);
  expect(two).toBe(`${'9'.repeat(20)}f0a1b2c3d4e5`);
  expect(trOf(upiLink(ask, 'a'))).not.toBe(trOf(upiLink(ask, 'b')));
});

it('what is shown again differs in its tr and in nothing else', () => {
  const kept = upiLink(ask, 'first');
  const again = shownAnew(kept, ask.agreementNo, 'second');
  expect(again).toBe(upiLink(ask, 'second'));
  expect(shownAnew('upi://pay?pa=a@b&am=1.00', ask.agreementNo, 'm')).toBe(
    'upi://pay?pa=a@b&am=1.00&tr=KIST2627000142m',
  );
});

it('a name or an id with signs of its own adds no part to the link', () => {
  const link = upiLink({ ...ask, upiId: 'a@b&am=1', payee: 'x&am=1.00#' }, 'm');
  expect(valuesOf(link, 'am')).toEqual(['2674.05']);
  expect(link).not.toContain('#');
});
