import { useTranslation } from 'react-i18next';
import { paths } from '#web/paths.ts';

/** Where a demo's messages can be read: nobody gets its SMS. In a page of its own, so that the form stays as it is. */
export function DemoOtp() {
  const { t } = useTranslation();
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
