import type { TFunction } from 'i18next';
import i18next from 'i18next';
import { waitOf } from '@kist/contract/wait';
import { askKey, askKeysKey } from '#web/state/who-allows.ts';
import { isApiError, type ApiError } from './errors.ts';

/**
 * The sentence a person reads: our own for the code where the details fill all its blanks, else the server's,
 * else 'Something went wrong.'
 */
export function errorText(error: unknown, t: TFunction): string {
  if (!isApiError(error)) return t('errors.unknown');
  // What a phone cannot do comes with its own reason.
  const why = error.details?.['why'];
  if (typeof why === 'string' && why.startsWith('devices.why.') && i18next.exists(why))
    return t(why, { ...error.details });
  if (error.code === 'FEATURE_NOT_ALLOWED') return `${t('errors.FORBIDDEN')} ${t(askKey())}`;
  if (error.code === 'INSUFFICIENT_KEYS') return noKeysText(t);
  const key = keyOf(error);
  if (i18next.exists(key)) {
    const details = {
      ...error.details,
      wait: waitText(error.retryAfterS, t),
      ...(error.retryAfterS !== undefined && { seconds: error.retryAfterS }),
    };
    const sentence = t(key, details);
    if (!sentence.includes('{{')) return sentence;
  }
  return error.message || t('errors.unknown');
}

/** No key is left, and who has some. */
export const noKeysText = (t: TFunction): string => `${t('errors.INSUFFICIENT_KEYS')} ${t(askKeysKey())}`;

/** A request that went nowhere although the phone has a network: it is the server that is not there. */
const keyOf = ({ code }: ApiError): string =>
  code === 'FETCH_ERROR' && navigator.onLine ? 'errors.server_away' : `errors.${code}`;

/** 'in 3 hours': when to come back, as people say it. */
export function waitText(seconds: number | undefined, t: TFunction): string {
  if (seconds === undefined) return t('wait.soon');
  const { key, count } = waitOf(seconds);
  return t(key, { count });
}
