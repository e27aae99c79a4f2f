import { expect, test } from 'vitest';
import { mayBeLetGo } from './letting-go.ts';

const phone = { isReleased: false, isMissed: false, isEnrolled: true, isRunning: true };

test.each([
  ['one that is set up, of a running agreement', {}, false],
  ['one that was never set up', { isEnrolled: false }, true],
  ['one whose agreement is over', { isRunning: false }, true],
  ['one that its owner misses', { isRunning: false, isMissed: true }, false],
  ['one that was let go already', { isRunning: false, isReleased: true }, false],
])('a phone is let go of: %s', (_what, standing, may) => {
  expect(mayBeLetGo({ ...phone, ...standing })).toBe(may);
});
