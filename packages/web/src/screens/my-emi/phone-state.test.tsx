// @vitest-environment jsdom
import { render } from '@testing-library/react';
import { expect, it } from 'vitest';
import type { CustomerProfile } from '@kist/contract/customers';
import { PhoneState } from './phone-state.tsx';

it('a customer reads what unlocks the phone only while it is locked', () => {
  const shown = (level: number) => {
    const profile = {
      device: { brand: 'Redmi', model: '13C' },
      lock: { lock_status: 0, level, desired_level: level, pending: null },
      lock_timeline: {
        level,
        pay_to_open_paise: 1_190_00,
        next: null,
        holds: [],
        cure: null,
        owed_paise: 0,
        is_owners: false,
      },
    } as unknown as CustomerProfile;
    const { container, unmount } = render(<PhoneState profile={profile} />);
    const text = container.textContent;
    unmount();
    return text;
  };
  expect(shown(3)).toContain('lock_timeline.pay_opens');
  expect(shown(2)).not.toContain('lock_timeline.pay_opens');
});
