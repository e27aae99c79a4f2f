import { stored } from '#web/state/storage.ts';
import { callHeaders } from './browser-facts.ts';
import { keyOf, type EarlyAnswers } from './early-answers.ts';
import type { PlainCall } from './first-reads.ts';
import { sealedTime, subtleSealer } from './sealed-time.ts';

/** What the page's first script found out: first who asks, then what the screen of this address asks first. */
interface Front {
  /** None for who is not signed in, without cryptography, or when the server is elsewhere. */
  reads?: readonly [me: PlainCall, ...ofScreen: PlainCall[]];
  /** To be told when one has left: the app's code is asked for after the first, that of the screen after the last. */
  onRead: () => void;
}

const token = stored('token');
const known = stored('user_type');

/**
 * Built into index.html (vite.config.ts), where it runs before the first paint: asks what the screen of this address will ask first, so that on a slow line the
 * answers come beside the code and not two round trips after it. `early-answers.ts` hands them to whoever asks the same. What fails here is asked again there.
 */
function askEarly([me, ...ofScreen]: NonNullable<Front['reads']>, onRead: () => void): EarlyAnswers {
  const answers: EarlyAnswers['answers'] = new Map();
  // They leave in their order, whichever is sealed first: who asks before what is asked for.
  let last = Promise.resolve();
  const send = async ([method, url, body]: PlainCall): Promise<Response> => {
    const before = last;
    let leave = (): void => undefined;
    last = new Promise((resolve) => (leave = resolve));
    try {
      const headers = {
        ...callHeaders(document.documentElement.lang || 'en', token),
        'x-emm-auth-session': await sealedTime(subtleSealer(crypto.subtle), url, Date.now()),
      };
      await before;
      return body === undefined
        ? fetch(url, { headers })
        : fetch(url, { method, headers: { ...headers, 'content-type': 'application/json' }, body });
    } finally {
      leave();
      onRead();
    }
  };
  const keep = ([method, url, body = '']: PlainCall, answer: Promise<Response | undefined>) => {
    // Nobody may take it, then nobody hears that it failed.
    answer.catch(() => undefined);
    answers.set(keyOf(method, window.location.origin + url, body), answer);
  };
  const who = send(me);
  keep(me, who);
  // The day of a shop is asked for once it is known that it is one's: by what this phone was told last, else by the answer.
  const isShop = known
    ? Promise.resolve(isShops(known))
    : who.then(async (answer) => answer.ok && isOfShop(await answer.clone().json()));
  // A screen that asks nothing more does not wait for it, nor hears that it failed.
  isShop.catch(() => undefined);
  for (const call of ofScreen)
    keep(
      call,
      isShop.then((is) => (is ? send(call) : undefined)),
    );
  return { token, atMs: Date.now(), answers };
}

/** A customer has one page, and an administrator sees no shop's day nor its customers: nothing of these is asked in their name. */
const isShops = (userType: string): boolean => userType !== 'customer' && userType !== 'admin';
const isOfShop = (body: unknown): boolean =>
  isShops((body as { data?: { user_type?: string } }).data?.user_type ?? 'customer');

const { front } = window as { front?: Front };
if (front?.reads) window.early = askEarly(front.reads, front.onRead);
