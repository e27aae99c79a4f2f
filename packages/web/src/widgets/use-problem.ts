import { useCallback } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '#web/api/error-text.ts';
import { isApiError } from '#web/api/errors.ts';
import { ImageError } from '#web/native/images.ts';
import { toast } from '#web/ui/toast.ts';

/** @returns a function that says in a toast what went wrong, in the user's language. A lost session says it itself. */
export function useProblem(): (error: unknown) => void {
  const { t } = useTranslation();
  return useCallback(
    (error: unknown) => {
      if (isApiError(error) && error.code === 'SESSION_REQUIRED') return;
      toast.error(error instanceof ImageError ? t(error.key) : errorText(error, t));
    },
    [t],
  );
}
