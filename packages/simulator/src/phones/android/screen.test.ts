import { describe, expect, it } from 'vitest';
import { enrolled, play, policyAt, says } from '#simulator-test/android-play.ts';
import { reportOf } from './report.ts';
import { screenOf } from './screen.ts';
import type { AppState, ScreenModel } from './screen.ts';

const inState = ({ apps }: ScreenModel, wanted: AppState) =>
  apps.filter(({ state }) => state === wanted).map(({ key }) => key);

describe('the screen', () => {
  it('of the kiosk leaves calls, messages, the internet, paying and settings to its holder', () => {
    const held = play(enrolled(), says({ desired: { revision: 1, policy: policyAt(4) } }));
    expect(screenOf(held).kind).toBe('kiosk');
    expect(inState(screenOf(held), 'free')).toEqual(['phone', 'messages', 'internet', 'pay', 'settings']);
  });

  it('of a phone that was let go gives back the camera, the apps and the wallpaper, whatever was taken before', () => {
    const toggles = { camera_lock: true, app_lock: true, wallpaper: true };
    const taken = { ...policyAt(0), toggles };
    const held = play(enrolled(), says({ desired: { revision: 1, policy: taken } }));
    expect(inState(screenOf(held), 'off')).toEqual(['camera']);
    const freed = play(held, says({ desired: { revision: 2, policy: { ...taken, released: true } } }));
    expect(inState(screenOf(freed), 'free')).toHaveLength(screenOf(freed).apps.length);
    expect(screenOf(freed).wallpaper).toBeNull();
    expect(Object.values(reportOf(freed, freed.agent!).state.toggles)).not.toContain(true);
  });
});
