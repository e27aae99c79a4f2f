import { describe, expect, it } from 'vitest';
import { NEEDS } from '@kist/contract/access';
import { type Actor, SYSTEM } from './actor.ts';
import { isSecond, mustBeSecond } from './second-person.ts';

const person = (userId: string, userType: Actor['userType'], more: Partial<Actor> = {}): Actor => ({
  ...SYSTEM(20),
  userId,
  userType,
  ...more,
});
const retailer = person('second', 'retailer');
const asked = { orgId: 20, askedBy: 'first', shop: 'first' };
const refusal = (actor: Actor, of: typeof asked | undefined, needs = NEEDS.lock): unknown => {
  try {
    mustBeSecond(actor, of, needs);
    return undefined;
  } catch (error) {
    return (error as { code?: unknown }).code;
  }
};

describe('the second person', () => {
  it('is another retailer, or the administrator, of the same organisation, who may do what was asked for', () => {
    for (const actor of [retailer, person('second', 'admin')])
      expect([isSecond(actor, asked, NEEDS.lock), refusal(actor, asked)]).toEqual([true, undefined]);
  });

  it.each([
    ['asked', person('first', 'retailer'), asked],
    ['asked, the administrator among them', person('first', 'admin'), asked],
    ['is a mini-retailer, whom its retailer makes', person('second', 'miniretailer'), asked],
    ['is the retailer of the mini-retailer that asked', retailer, { ...asked, shop: 'second' }],
    ['is a customer', person('second', 'customer'), asked],
    ['is the server', SYSTEM(20), asked],
    ['is of another organisation', { ...retailer, orgId: 21 }, asked],
    ['is the first', retailer, undefined],
  ])('is nobody who %s', (_why, actor, of) => {
    expect([isSecond(actor, of, NEEDS.lock), refusal(actor, of)]).toEqual([false, 'SECOND_PERSON_REQUIRED']);
  });

  it('may do by now what was asked for', () => {
    const wordless = { ...retailer, lockAccess: { ...retailer.lockAccess, lock: '0' as const } };
    expect([isSecond(wordless, asked, NEEDS.lock), refusal(wordless, asked)]).toEqual([false, 'FEATURE_NOT_ALLOWED']);
    // The nine words are a shop's; an administrator has none.
    expect(isSecond({ ...wordless, userType: 'admin' }, asked, NEEDS.lock)).toBe(true);
  });
});
