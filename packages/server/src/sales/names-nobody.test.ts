import { describe, expect, it } from 'vitest';
import { assertNamesNobody } from './names-nobody.ts';

const somebody = (first_name: string, last_name = '') => ({
  first_name,
  last_name,
  mobile: '+919812345214',
  alternate_mobile: '+919900012345',
  aadhaar_last4: '7788',
});

describe('a reason that stays', () => {
  it.each([
    ["D'Souza", 'Mary', "letter of Mrs D'Souza of 3 March"],
    ["D'Souza", 'Mary', 'letter of Mrs Souza'],
    ['Anne-Marie', 'Paul-Raj', 'letter of Anne-Marie Paul-Raj'],
    ['Anne-Marie', '', 'letter of ANNE MARIE'],
    ['K.Ramesh', '', 'letter of K.Ramesh'],
    ['K.Ramesh', '', 'Ramesh wrote'],
    ['Li', 'Bo', 'letter of Li Bo'],
    ['सुनीता', 'कुलकर्णी', 'पत्र: सुनीता, ३ मार्च'],
  ])('does not name %s %s: %s', (first, last, reason) => {
    expect(() => assertNamesNobody(reason, somebody(first, last))).toThrow('the reason stays');
  });

  it.each([
    'letter from the mobile ending 45214',
    'ends in 5214',
    'call from 98123 45214',
    'call from +91-98123-45214 at 10',
    'of 45214, twice',
    'the other ends 2345',
    'Aadhaar 7788',
    'PAN ABCDE1234F',
    'pan abcde1234f.',
    'wrote from somebody@example.in',
    '９８１２３４５２１４ called',
  ])('says no number, PAN or address: %s', (reason) => {
    expect(() => assertNamesNobody(reason, somebody('Irfan', 'Shaikh'))).toThrow('the reason stays');
  });

  it.each([
    'asked by letter of 3 March',
    'asked by letter of 3.3.2026, file 118',
    'complaint no. 52141, twice',
    'grievance KST-2026-004411',
    'asked at the counter, in person',
    'ref ABC1234',
  ])('may say anything else: %s', (reason) => {
    expect(() => assertNamesNobody(reason, somebody('Irfan', 'K. Shaikh'))).not.toThrow();
  });

  it('of a customer without numbers or a last name is any that does not name them', () => {
    const nobody = { first_name: '', last_name: '', mobile: '', alternate_mobile: null, aadhaar_last4: null };
    expect(() => assertNamesNobody('asked by letter of 2026', nobody)).not.toThrow();
  });
});
