import { useEffect, useState } from 'react';
import type { EmiPreview } from '@kist/contract/emi-terms';
import type { ApiError } from '#web/api/errors.ts';
import { useRead } from '#web/api/use-call.ts';
import { termsOf } from './body.ts';
import type { Values } from './fields.ts';
import { areTermsRight } from './rules.ts';

const SETTLE_MS = 350;

export interface Preview {
  /** The terms are not complete yet. */
  isOpen: boolean;
  data: EmiPreview | undefined;
  /** The figures shown belong to the terms before. */
  isStale: boolean;
  error: ApiError | undefined;
  retry: () => void;
}

/** What the terms come to, reckoned by the server's own engine a moment after the last key. */
export function usePreview(values: Values): Preview {
  const wanted = areTermsRight(values) ? JSON.stringify(termsOf(values)) : '';
  const [asked, setAsked] = useState(wanted);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(wanted), SETTLE_MS);
    return () => clearTimeout(timer);
  }, [wanted]);
  const body = (asked ? JSON.parse(asked) : termsOf(values)) as ReturnType<typeof termsOf>;
  const result = useRead('previewEmi', { body }, { skip: asked === '' });
  const isCurrent = wanted === asked;
  return {
    isOpen: wanted === '',
    data: wanted === '' ? undefined : (result.data ?? result.latest),
    isStale: !isCurrent || result.data === undefined,
    error: isCurrent && !result.isFetching ? result.error : undefined,
    retry: result.refetch,
  };
}
