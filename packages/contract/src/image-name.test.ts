import { describe, expect, it } from 'vitest';
import { imageNameSchema } from './fields.ts';
import { hideAadhaar } from './text.ts';

describe('the name of a picture', () => {
  it.each([
    'front',
    'Bill 12',
    'बिजली बिल',
    'a.b-c_d',
    'other-AZkQ2vT7cWaB3dE4fG5hIj.jpg',
    'WhatsApp Image 2026-11-27 at 12.34.56 (1).jpeg',
    '_MG_0412.JPG',
    '1764237612345.jpg',
    "Asha's bill #12, A&B [2]",
  ])('%s is taken', (name) => {
    expect(imageNameSchema.parse(` ${name} `)).toBe(name);
  });
  it.each(['', ' ', '.', '..', '../a', 'a..b', 'a/b', 'a\\b', '-a', '(../a)', '<b>', 'x'.repeat(81), 'a"b', 'a;b'])(
    '%j is not',
    (name) => {
      expect(imageNameSchema.safeParse(name).success).toBe(false);
    },
  );
});

describe('a number as long as an Aadhaar', () => {
  it.each([
    ['123456789012', 'XXXX-9012'],
    ['1234 5678 9012', 'XXXX-9012'],
    ['1234-5678-9012', 'XXXX-9012'],
    ['aadhaar_123456789012.jpg', 'aadhaar_XXXX-9012.jpg'],
    ['१२३४ ५६७८ ९०१२', 'XXXX-९०१२'],
    ['1234567890123456', 'XXXX-3456'],
    ['aadhaar 1234 5678 9012 2.jpg', 'aadhaar XXXX-0122.jpg'],
    ['aadhaar 123456789012 2.jpg', 'aadhaar XXXX-0122.jpg'],
  ])('%s is hidden', (text, hidden) => {
    expect(hideAadhaar(text)).toBe(hidden);
  });
  it.each([
    '12345678901',
    'Bill 2026 11 24',
    'IMG_2041',
    '1764237612345',
    '20261127123456',
    '356938035643809',
    '20261127123456789',
  ])('%s is another number, and stays', (text) => {
    expect(hideAadhaar(text)).toBe(text);
  });
});
