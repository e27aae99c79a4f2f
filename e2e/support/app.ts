import type { Browser, BrowserContext, Page } from '@playwright/test';
import { LANGUAGE_TAGS, type Language } from '@kist/contract/codes';
import { LIMITS } from '@kist/contract/limits';
import { BASE_URL } from './base-url.ts';
import type { SignedIn } from './sign-in.ts';
import { type Words, wordsOf } from './words.ts';

export interface AppOptions {
  language?: Language;
  /** 'system': as the phone's own choice is, which is light until `emulateMedia` says otherwise. */
  theme?: 'light' | 'dark' | 'system';
  viewport?: { width: number; height: number };
  /** false: a browser without service workers; nothing is kept for offline. */
  hasWorker?: boolean;
  /** Where the app is opened, when not at the server's own door. */
  origin?: string;
  /** What the app would have cached of the organisation's brand. */
  localStorage?: Record<string, string>;
}

export interface App {
  page: Page;
  context: BrowserContext;
  t: Words;
}

export const PHONE = { width: 360, height: 640 };

/**
 * A page whose `goto` waits until the entries of closed sheets are off the history: the step back that takes them off comes a moment after the sheet is gone,
 * and a browser that is on its way to an address then gives the address up. Nobody types one that fast.
 */
export async function pageOf(context: BrowserContext): Promise<Page> {
  const page = await context.newPage();
  const goto = page.goto.bind(page);
  page.goto = async (...to) => {
    await page.waitForFunction(() => {
      const state = window.history.state as { sheets?: number } | null;
      return (state?.sheets ?? 0) <= document.querySelectorAll('dialog[open]').length;
    });
    return goto(...to);
  };
  return page;
}

/** A browser of somebody's phone: signed in already when `who` is given, in the wanted language and light. */
export async function openApp(browser: Browser, who: SignedIn | null, options: AppOptions = {}): Promise<App> {
  const { language = 'en', theme = 'light', viewport = PHONE, origin = BASE_URL } = options;
  const cookie = (name: string, value: string) => ({
    name,
    value,
    domain: new URL(origin).hostname,
    path: '/',
    expires: -1,
    httpOnly: false,
    secure: false,
    sameSite: 'Lax' as const,
  });
  const stored: Record<string, string> = {
    language,
    ...(who && {
      token: who.grant.token,
      account_id: who.grant.account_id,
      user_id: who.grant.user_id,
      phone: who.mobile,
      device_id: who.deviceId,
      // Who signed in here has been told where the server is.
      server: JSON.stringify({ baseUrl: '', requestTimeoutMs: LIMITS.requestTimeoutMs }),
    }),
    ...options.localStorage,
  };
  const context = await browser.newContext({
    viewport,
    hasTouch: true,
    // A front of the tests (scripts/lib/front.mjs) signs for itself.
    ignoreHTTPSErrors: origin.startsWith('https:'),
    locale: LANGUAGE_TAGS[language] === 'hi' ? 'hi-IN' : 'en-IN',
    timezoneId: 'Asia/Kolkata',
    colorScheme: theme === 'dark' ? 'dark' : 'light',
    reducedMotion: 'reduce',
    baseURL: origin,
    serviceWorkers: options.hasWorker === false ? 'block' : 'allow',
    permissions: [],
    storageState: {
      cookies: [cookie('i18next', language), ...(theme === 'system' ? [] : [cookie('theme', theme)])],
      origins: [{ origin, localStorage: Object.entries(stored).map(([name, value]) => ({ name, value })) }],
    },
  });
  return { page: await pageOf(context), context, t: await wordsOf(language) };
}
