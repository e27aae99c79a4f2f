import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { noKeysText } from '#web/api/error-text.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { telUrl } from '#web/native/share.ts';
import { useAppSelector } from '#web/state/store.ts';
import { askKeysKey } from '#web/state/who-allows.ts';
import { ButtonAnchor } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { StateView } from '#web/ui/state-view.tsx';

/** A sale that no key is left for: whom to ask, in the place of what cannot go on. @param children what else can be done here. */
export function KeysGone({ title, children }: { title: string; children?: ReactNode }) {
  const { t } = useTranslation();
  return (
    <StateView kind="no_permission" icon="key" title={title} body={t(askKeysKey())}>
      <CallForKeys />
      {children}
    </StateView>
  );
}

/** The same beside a field or a button, for as long as it stands. @param isSaidAbove the number stands there already. */
export function NoKeys({ isSaidAbove }: { isSaidAbove?: boolean }) {
  const { t } = useTranslation();
  return (
    <>
      <p role="alert" className="flex gap-1 text-sm text-over">
        <Icon name="warning" size={16} className="mt-px" />
        {noKeysText(t)}
      </p>
      {!isSaidAbove && <CallForKeys />}
    </>
  );
}

/** The distributor's number, where the organisation has told one. A mini-retailer is given keys by its retailer, whom it knows. */
function CallForKeys() {
  const { t } = useTranslation();
  const phone = useAppSelector((state) => state.main.org_config?.support.phone);
  if (!phone || askKeysKey() !== 'states.keys_distributor') return null;
  return (
    <ButtonAnchor href={telUrl(phone)} icon="call" block>
      {t('shell.call_support')} · {formatMobile(phone)}
    </ButtonAnchor>
  );
}
