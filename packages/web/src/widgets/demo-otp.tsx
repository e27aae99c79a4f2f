import { useTranslation } from 'react-i18next';
import { paths } from '#web/paths.ts';
import { useBrand } from '#web/theme/use-brand.ts';

/** Where a demo's messages can be read: nobody gets its SMS. In a page of its own, so that the form stays as it is. Nothing outside a demo. */
export function DemoOtp() {
  const { t } = useTranslation();
  if (!useBrand()?.isDemo) return null;
  return (
    <a
      href={paths.lab('messages')}
      target="_blank"
      rel="noreferrer"
      className="font-semibold whitespace-nowrap text-accent-text underline"
    >
      {t('auth.demo_otp')}
    </a>
  );
}
