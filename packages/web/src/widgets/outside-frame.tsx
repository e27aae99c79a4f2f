import { lazy, Suspense, useEffect, useState, type ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { To } from 'react-router';
import { currentLanguage } from '#web/i18n/i18n.ts';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { useBrand } from '#web/theme/use-brand.ts';
import { initials } from '#web/ui/avatar.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { inBackground } from './in-background.tsx';

/** After the first paint: nobody waits for them. */
const LanguageSheet = lazy(async () => ({ default: (await import('./language-sheet.tsx')).LanguageSheet }));
const TooOld = inBackground(async () => (await import('./too-old.tsx')).TooOld);
const Toasts = inBackground(async () => (await import('#web/ui/toast-region.tsx')).ToastRegion);

/** The cover page of the ledger: ruled paper and the red stitch down its margin (in the compact layout a plain page under a band of the organisation's colour), for the screens before anyone is signed in. @param isFront with the organisation's seal. */
export function OutsideFrame(props: {
  title: string;
  detail?: ReactNode;
  back?: To;
  isFront?: boolean;
  children: ReactNode;
}) {
  const { title, detail, back, isFront, children } = props;
  const { name: brand, logo } = useBrand() ?? {};
  useEffect(() => {
    document.title = brand ? `${title} · ${brand}` : title;
  }, [title, brand]);
  return (
    <div className="ruled flex min-h-dvh flex-col items-center bg-bg compact:bg-none">
      <TooOld />
      <div className="stitch flex w-full max-w-112 flex-1 flex-col px-6 pl-10 before:inset-y-0 before:left-5 compact:pl-6 compact:before:hidden">
        <header className="flex min-h-16 items-center justify-between compact:min-h-14 compact:banded compact:shadow-[0_0_0_100vmax_var(--band)] compact:[clip-path:inset(0_-100vmax)]">
          {back !== undefined ? <Back to={back} /> : <span className="font-bold">{brand}</span>}
          <LanguageButton />
        </header>
        <main className="flex flex-1 flex-col justify-between gap-6 pt-6 pb-8 lg:justify-start lg:gap-12 lg:pt-20">
          <div>
            {isFront && <Seal name={brand} logo={logo} />}
            <h1 className="text-2xl font-bold tracking-tight">{title}</h1>
            {detail && <p className="pt-2 text-ink-2">{detail}</p>}
          </div>
          <div className="grid gap-4">{children}</div>
        </main>
      </div>
      <Toasts atTop />
    </div>
  );
}

function Back({ to }: { to: To }) {
  const { t } = useTranslation();
  return (
    <Link to={to} replace aria-label={t('common.back')} className="-ml-3.5 grid size-12 place-items-center rounded-md">
      <Icon name="back" />
    </Link>
  );
}

/** The language that is spoken, and the way to another. */
function LanguageButton() {
  const { t } = useTranslation();
  const [isChoosing, setChoosing] = useState(false);
  const [wasAsked, setAsked] = useState(false);
  const ask = () => {
    setAsked(true);
    setChoosing(true);
  };
  return (
    <>
      <button
        type="button"
        aria-haspopup="dialog"
        onClick={ask}
        className="flex min-h-12 items-center gap-1.5 rounded-md px-2 text-sm font-semibold text-accent-text"
      >
        <Icon name="globe" size={18} />
        {LANGUAGE_NAMES[currentLanguage()]}
        <span className="sr-only">{t('language.title')}</span>
      </button>
      {wasAsked && (
        <Suspense>
          <LanguageSheet open={isChoosing} onClose={() => setChoosing(false)} />
        </Suspense>
      )}
    </>
  );
}

/** The organisation's logo, or its initials stamped in its own colour; the app's own icon until the organisation is known. */
const Seal = ({ name, logo }: { name: string | undefined; logo: string | null | undefined }) => (
  <span className="mb-5 grid size-16 -rotate-3 place-items-center overflow-hidden rounded-xl bg-accent text-xl font-bold text-accent-fg">
    {logo ? (
      <img src={logo} alt="" className="size-full" />
    ) : name ? (
      initials(name)
    ) : (
      <img src="/icons/icon.svg" alt="" className="size-full" />
    )}
  </span>
);
