import { useCallback, useEffect, useState, type ComponentType } from 'react';
import { useTranslation } from 'react-i18next';
import { toApiError } from '#web/api/errors.ts';
import { loadMore } from '#web/i18n/i18n.ts';
import { isLostCode } from '#web/state/lost-code.ts';
import { Skeleton } from '#web/ui/skeleton.tsx';
import { CodeLost } from './code-lost.tsx';
import { ProblemView } from './query-view.tsx';

/** What comes late, and the way to have it before it is shown: then it stands at once. */
export type Late<Props> = ComponentType<Props> & {
  isThere: () => boolean;
  /** Fetches it while there is time. Resolves also where it cannot be had: it says so itself once it is shown. */
  ahead: () => Promise<void>;
};

/**
 * The inside of a sheet that is not of every day, or what a screen shows later: its code and its words, which stand apart in `locales`, come when it is
 * opened. Where they cannot be had it says why and offers another try; of a file that did not come a fresh page, as a screen does.
 * @example const Inside = late(async () => (await import('./inside.tsx')).Inside);
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  loadWords: () => Promise<unknown> = () => loadMore(),
): Late<Props> {
  let known: ComponentType<Props> | undefined;
  const fetch = async () => {
    [known] = await Promise.all([load(), loadWords()]);
  };
  function Shown(props: Props) {
    const { t } = useTranslation();
    const [Inside, setInside] = useState(() => known);
    const [state, setState] = useState<'loading' | 'failed' | 'lost'>('loading');
    const get = useCallback(async () => {
      setState('loading');
      try {
        await fetch();
        setInside(() => known);
      } catch (error) {
        setState(isLostCode(error) ? 'lost' : 'failed');
      }
    }, []);
    useEffect(() => {
      if (!known) void get();
    }, [get]);
    if (Inside) return <Inside {...props} />;
    if (state === 'lost') return <CodeLost />;
    if (state === 'failed') return <ProblemView error={toApiError('FETCH_ERROR', null)} onRetry={() => void get()} />;
    return (
      <div role="status">
        <span className="sr-only">{t('states.loading')}</span>
        <Skeleton className="h-44" />
      </div>
    );
  }
  const isThere = () => known !== undefined;
  return Object.assign(Shown, {
    isThere,
    ahead: async () => void (isThere() || (await fetch().catch(() => undefined))),
  });
}
