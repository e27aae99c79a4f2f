// @vitest-environment jsdom
import { act, renderHook } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { SessionGrant } from '@kist/contract/auth';
import { endSession, keepSession, loseSession } from './session.ts';
import { useTyped } from './typed.ts';

const grant: SessionGrant = {
  token: 'T',
  account_id: 'a',
  user_id: 'sunita',
  user_type: 'retailer',
  org_id: 20,
  first_name: 'Sunita',
  shop_name: 'Sunita Mobile',
  mpin_set: true,
  seal_key: 'A'.repeat(43),
};
const signIn = () => keepSession(grant, '+919000000001');
/** The sheet about one payment, opened. */
const sheet = () => renderHook(() => useTyped<{ reason: string }>('payment-1')).result;
function begin() {
  const { current } = sheet();
  act(() => current[1]({ reason: 'Nothing came in' }));
}

it('what was begun outlives a session that the server ended, and goes with a log-out', () => {
  signIn();
  begin();
  loseSession('T');
  signIn();
  expect(sheet().current[0]).toEqual({ reason: 'Nothing came in' });
  endSession();
  signIn();
  expect(sheet().current[0]).toEqual({});
});

it('another user who signs in after it reads none of it', () => {
  signIn();
  begin();
  loseSession('T');
  keepSession({ ...grant, user_id: 'irfan' }, '+919000000002');
  expect(sheet().current[0]).toEqual({});
});
