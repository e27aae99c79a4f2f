// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import type { DeviceView } from '@kist/contract/customers';
import { makeStore } from '#web/state/store.ts';
import { Switches } from './switches.tsx';

/** The gate's word for each order that takes something. */
let words: Record<string, object> = {};
let asked: string[] = [];
beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const command = request.url.split('/').at(-1)!;
    asked.push(command);
    const word = words[command];
    return word
      ? Response.json({ status: 200, response: 'success', message: '', data: { verdict: { explain: {}, ...word } } })
      : Response.json({ status: 503, response: 'failure', message: '', code: 'UNAVAILABLE' }, { status: 503 });
  });
});
afterEach(() => vi.unstubAllGlobals());

const device = (toggles: Record<string, boolean> = {}, cannot: DeviceView['features']['cannot'] = {}) =>
  ({
    toggles,
    features: { toggles: ['camera_lock', 'app_lock', 'wallpaper'], actions: [], cannot },
    desired_revision: 1,
    reported_revision: 1,
  }) as unknown as DeviceView;
const show = (shown: DeviceView, onOrder: (command: string) => void = () => undefined) =>
  render(
    <Provider store={makeStore()}>
      <Switches customerId="c" device={shown} busy={false} onOrder={onOrder} />
    </Provider>,
  );
const switchOf = (feature: string) => screen.findByRole('switch', { name: `feature.${feature}` });
const NEVER = { allowed: false, rule: 'RESTRICTION_NOT_IN_POLICY' };
const NOTHING_LATE = { allowed: false, rule: 'NOT_OVERDUE' };

it('what the gate refuses now cannot be pressed and says why; what the policy never allows is not there', async () => {
  words = { camera_lock: NEVER, app_lock: NOTHING_LATE, set_wallpaper: { allowed: true, rule: 'OVERDUE_STEP' } };
  show(device());
  const apps = await switchOf('app_lock');
  expect(apps).toBeDisabled();
  expect(apps).toHaveAccessibleDescription('device.offrules.NOT_OVERDUE');
  expect(await switchOf('wallpaper')).toBeEnabled();
  expect(screen.queryByRole('switch', { name: 'feature.camera_lock' })).toBeNull();
});

it('what is on can be put back, whatever the gate would say to taking it', async () => {
  words = { camera_lock: NEVER, app_lock: NOTHING_LATE, set_wallpaper: NOTHING_LATE };
  show(device({ camera_lock: true, app_lock: true }));
  expect(await switchOf('camera_lock')).toBeEnabled();
  expect(await switchOf('app_lock')).toBeEnabled();
  expect(await switchOf('wallpaper')).toBeDisabled();
  expect(asked).toEqual(['set_wallpaper']);
});

it('while nobody answers the switch can be pressed: the order is refused by the same rules', async () => {
  words = {};
  show(device());
  expect(await switchOf('app_lock')).toBeEnabled();
});

it('what this very phone cannot do cannot be pressed and says why, the gate is not asked; what is on can be put back', async () => {
  words = {
    camera_lock: { allowed: true, rule: 'OVERDUE_STEP' },
    set_wallpaper: { allowed: true, rule: 'OVERDUE_STEP' },
  };
  show(
    device(
      { camera_lock: true },
      { app_lock: { why: 'devices.why.android', needs: '7' }, camera_lock: { why: 'devices.why.owner' } },
    ),
  );
  const apps = await switchOf('app_lock');
  expect(apps).toBeDisabled();
  expect(apps).toHaveAccessibleDescription('device.offdevices.why.android');
  expect(await switchOf('camera_lock')).toBeEnabled();
  expect(await switchOf('wallpaper')).toBeEnabled();
  // On a busy machine the page asks again what may be some seconds old.
  expect(new Set(asked)).toEqual(new Set(['set_wallpaper']));
});

it('what is off is taken by a press, and what is on is given back', async () => {
  words = { app_lock: { allowed: true, rule: 'OVERDUE_STEP' }, set_wallpaper: { allowed: true, rule: 'OVERDUE_STEP' } };
  const ordered: string[] = [];
  show(device({ camera_lock: true }), (command) => ordered.push(command));
  for (const feature of ['camera_lock', 'app_lock', 'wallpaper']) fireEvent.click(await switchOf(feature));
  expect(ordered).toEqual(['camera_unlock', 'app_lock', 'set_wallpaper']);
});
