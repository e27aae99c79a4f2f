import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '#web/api/error-text.ts';
import { type ApiError, isAnswer, isApiError } from '#web/api/errors.ts';
import { IMAGE_BOUNDS, ImageError } from '#web/native/image-error.ts';
import { toast } from '#web/ui/toast.ts';

/** @returns a function that says in a toast what went wrong, in the user's language. A lost session says it itself. */
export function useProblem(): (error: unknown) => void {
  const { t } = useTranslation();
  return useCallback(
    (error: unknown) => {
      if (isApiError(error) && error.code === 'SESSION_REQUIRED') return;
      toast.error(error instanceof ImageError ? t(error.key, IMAGE_BOUNDS) : errorText(error, t));
    },
    [t],
  );
}

/**
 * For forms with one field: a refusal stands by the field until it is changed or sent again, for why it was refused must not go away by itself; so does a
 * server's word that it can do nothing now; what is nobody's answer (no network) is a toast as everywhere.
 */
export function useFieldProblem(setError: (text: string) => void): (error: ApiError) => void {
  const { t } = useTranslation();
  const problem = useProblem();
  return (error) => (isAnswer(error) ? setError(errorText(error, t)) : problem(error));
}
