import { expect, test } from 'vitest';
import { isOlderThan } from './app-version.ts';

test.each([
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.1.1', true],
  ['0.9.0', '0.10.0', true],
  ['0.10.0', '0.9.9', false],
  ['1.0.0', '0.9.9', false],
  ['1.2', '1.2.0', false],
  ['1.2', '1.2.1', true],
  ['1.2.3', '1.2', false],
  ['0.1.0', '', false],
  ['0.1.0', 'nonsense', false],
])('%s is older than %j: %j', (version, least, isOlder) => expect(isOlderThan(version, least)).toBe(isOlder));
