import type { TFunction } from 'i18next';
import { LIMITS } from '@kist/contract/limits';

/**
 * What a reason lacks that somebody else will read; every form that asks for one says it alike.
 * @param least how many letters say something
 * @returns that it is missing, or says nothing; undefined: it will do
 */
export function reasonFault(reason: string, t: TFunction, least: number = LIMITS.reasonLengthMin): string | undefined {
  const { length } = reason.trim();
  if (length >= least) return undefined;
  return length === 0 ? t('field.required') : t('field.too_short', { min: least });
}
