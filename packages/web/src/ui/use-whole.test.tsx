// @vitest-environment jsdom
import { render, waitFor } from '@testing-library/react';
import { expect, it } from 'vitest';
import { useWhole } from './use-whole.ts';

const drawn: boolean[] = [];
function Below() {
  drawn.push(useWhole());
  return null;
}

it('what lies below waits until the first screen was drawn, and stands at once on every later one', async () => {
  const first = render(<Below />);
  expect(drawn[0]).toBe(false);
  await waitFor(() => expect(drawn).toEqual([false, true]));
  first.unmount();
  drawn.length = 0;
  render(<Below />);
  expect(drawn).toEqual([true]);
});
