// @vitest-environment jsdom
import type { RouteObject } from 'react-router';
import { expect, it } from 'vitest';
import { patterns } from './paths.ts';
import { router } from './routes.tsx';

const all = (routes: readonly RouteObject[]): RouteObject[] =>
  routes.flatMap((one) => [one, ...all(one.children ?? [])]);

it('the spinner shows on all screens but those that the specification names', () => {
  const without = all(router.routes).filter(
    ({ handle }) => (handle as { ownLoading?: boolean } | undefined)?.ownLoading,
  );
  expect(without.map(({ path }) => path)).toEqual([
    patterns.dashboard,
    patterns.customerList,
    patterns.customerDetails,
  ]);
});
