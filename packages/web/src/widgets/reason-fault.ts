import type { TFunction } from 'i18next';
import { LIMITS } from '@kist/contract/limits';

/** @returns what is wrong with a reason that somebody else will read: it is missing, or says nothing; undefined: it will do */
export function reasonFault(reason: string, t: TFunction): string | undefined {
  const { length } = reason.trim();
  if (length >= LIMITS.reasonLengthMin) return undefined;
  return length === 0 ? t('field.required') : t('field.too_short', { min: LIMITS.reasonLengthMin });
}
