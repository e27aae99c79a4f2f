import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { To } from 'react-router';
import { Icon } from './icon.tsx';
import { Link } from './link.tsx';

/**
 * Top of a screen, which stays there while the rest scrolls (widgets/screen.tsx): way back or a picture, the title (the focus lands on it after navigation), a second line, up to three icon buttons.
 */
export function Header(props: {
  title: string;
  detail?: ReactNode;
  back?: To;
  onBack?: () => void;
  lead?: ReactNode;
  actions?: ReactNode;
  /** Of a screen that stands beside another: its title is not the page's. */
  isBeside?: boolean;
  /** Going back is closing: what it came from is in sight. */
  isClosed?: boolean;
}) {
  const { title, detail, back, onBack, lead, actions, isBeside, isClosed } = props;
  const { t } = useTranslation();
  const Title = isBeside ? 'h2' : 'h1';
  const backLook = 'grid size-12 shrink-0 place-items-center rounded-md active:bg-raise';
  return (
    <header className="flex min-h-16 flex-wrap items-center gap-2.5 bg-bg/95 px-4 py-2 frosted compact:min-h-14 compact:py-0.5 compact:max-md:banded">
      {onBack ? (
        <button type="button" onClick={onBack} aria-label={t('common.back')} className={`${backLook} -ml-3.5`}>
          <Icon name="back" />
        </button>
      ) : (
        back !== undefined && (
          <Link to={back} aria-label={t(isClosed ? 'common.close' : 'common.back')} className={`${backLook} -ml-3.5`}>
            <Icon name={isClosed ? 'close' : 'back'} />
          </Link>
        )
      )}
      {lead}
      <div className="min-w-20 flex-1">
        <Title
          id={isBeside ? undefined : 'screen-title'}
          tabIndex={-1}
          className="text-lg font-bold break-words lg:text-xl"
        >
          {title}
        </Title>
        {detail && <p className="text-xs text-ink-2">{detail}</p>}
      </div>
      {actions && <div className="-mr-2 ml-auto flex">{actions}</div>}
    </header>
  );
}
