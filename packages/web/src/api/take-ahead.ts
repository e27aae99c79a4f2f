import { matchPath } from 'react-router';
import { patterns } from '#web/paths.ts';
import { appStore } from '#web/state/store.ts';
import { noteAhead } from './ahead.ts';
import { api } from './api.ts';
import { keyOf } from './early-answers.ts';
import { FIRST_OF_ALL, FIRST_READS, plainCall } from './first-reads.ts';
import type { CallArgs, CallReply } from './calls.ts';

/** An answer that is not there by then comes to the screen, as any other. */
const LONGEST_MS = 100;

/**
 * Puts into the store what the page asked before any code of the app had come, so that the first screen is drawn once and with what it shows: else it would be
 * drawn as blocks, then again when it is known who asks, and again with the answer (0.4 s on a cheap phone).
 * @param pathname without the language.
 * @param isTooLate when the screen waits no longer
 */
export async function takeAhead(pathname: string, isTooLate = longest): Promise<void> {
  if (!window.early) return;
  await Promise.race([take(pathname), isTooLate()]);
}

const longest = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, LONGEST_MS));

async function take(pathname: string): Promise<void> {
  const me = (await ask(FIRST_OF_ALL)) as CallReply<'getUserAccess'> | undefined;
  // The day of a shop is nothing to a customer.
  if (me === undefined || me.user_type === 'customer') return;
  await Promise.all(readsOf(pathname).map(ask));
}

/** @returns what the screen at this address asks first and gets from the store: the list of customers turns its pages by itself */
function readsOf(pathname: string): CallArgs[] {
  for (const [id, callsOf] of Object.entries(FIRST_READS)) {
    const hit = matchPath(`/${patterns[id as keyof typeof FIRST_READS]}`, pathname);
    if (hit) return callsOf(hit.params['customer_id'] ?? '').filter(({ name }) => name !== 'listCustomers');
  }
  return [];
}

/** Only what was asked: what was not is asked by whoever wants it. */
async function ask({ name, input }: CallArgs): Promise<unknown> {
  const [method, url, body = ''] = plainCall({ name, input });
  if (!window.early?.answers.has(keyOf(method, window.location.origin + url, body))) return undefined;
  noteAhead({ name, input });
  const { data } = await appStore.dispatch(api.endpoints.read.initiate({ name, input }, { subscribe: false }));
  return data;
}
