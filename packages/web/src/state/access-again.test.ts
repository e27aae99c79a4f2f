// @vitest-environment jsdom
import i18next from 'i18next';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { api } from '#web/api/api.ts';
import { errorText } from '#web/api/error-text.ts';
import type { ApiError } from '#web/api/errors.ts';
import { endSession } from './session.ts';
import { startState } from './start.ts';
import { appStore } from './store.ts';

let userType = 'retailer';
let code = '';
let asked: string[] = [];
const ever = new Set<string>();
beforeEach(() => {
  asked = [];
  localStorage.setItem('token', 'T');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const path = new URL(request.url).pathname;
    if (path.startsWith('/api/device/command'))
      return Response.json({ status: 403, response: 'failure', message: '', code }, { status: 403 });
    asked.push(path);
    ever.add(path);
    const data = {
      user_type: userType,
      now: new Date().toISOString(),
      is_birthday: false,
      theme: { accent: '#0a7a5a', logo: null },
      languages: [],
    };
    return Response.json({ status: 200, response: 'success', message: '', data });
  });
});
afterEach(() => {
  endSession();
  vi.unstubAllGlobals();
});

/** One order that is refused so, on a screen that reads the access. @returns the refusal. */
async function refusedWith(refusal: string): Promise<ApiError> {
  code = refusal;
  startState();
  for (const name of ['getUserAccess', 'getAccessConfig'] as const)
    await appStore.dispatch(api.endpoints.read.initiate({ name, input: {} }));
  // The organisation and the app's age are asked for once there is time, one after the other.
  await vi.waitFor(() => expect(ever).toContain('/api/organizations/get_org_app_config'));
  await vi.waitFor(() => expect(ever).toContain('/api/config/get_app_configs'));
  asked = [];
  const order = { name: 'sendCommand' as const, input: { params: { command: 'reboot' }, body: {} } };
  const { error } = await appStore.dispatch(api.endpoints.write.initiate(order));
  return error as ApiError;
}

it('a word that was taken away meanwhile is noticed with the refusal: the access is asked for again', async () => {
  await refusedWith('FEATURE_NOT_ALLOWED');
  await vi.waitFor(() => expect(asked.toSorted()).toEqual(['/api/config/access-config', '/api/user/user_access']));
});

it('another refusal asks for nothing', async () => {
  await refusedWith('STATE_CONFLICT');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(asked).toEqual([]);
});

it.each([
  ['retailer', 'states.ask_distributor'],
  ['miniretailer', 'states.ask_retailer'],
  ['customer', 'states.no_permission_body'],
])('a %s is told to ask who can allow it', async (type, key) => {
  await i18next.init({ lng: 'cimode' });
  userType = type;
  expect(errorText(await refusedWith('FEATURE_NOT_ALLOWED'), i18next.t)).toBe(`errors.FORBIDDEN ${key}`);
});
