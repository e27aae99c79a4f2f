import { useState, useSyncExternalStore } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { formatDateTime } from '#web/i18n/formats.ts';
import { currentLanguage } from '#web/i18n/i18n.ts';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { install } from '#web/native/install.ts';
import { telUrl } from '#web/native/share.ts';
import { paths } from '#web/paths.ts';
import { drawerOpened } from '#web/state/main-slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { Drawer } from '#web/ui/drawer.tsx';
import { Icon } from '#web/ui/icon.tsx';
import type { IconName } from '#web/ui/icon-paths.ts';
import { ListRow } from '#web/ui/list-row.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { late } from '#web/widgets/late.tsx';
import { ThemeSwitch } from '#web/widgets/theme-switch.tsx';
import { useAccess, useMe } from '#web/widgets/use-access.ts';
import { Logout } from './logout.tsx';

const InstallHint = late(async () => (await import('#web/widgets/install-hint.tsx')).InstallHint);

const USER_TYPES: readonly string[] = ['retailer', 'miniretailer', 'customer'];

/** A phone's drawer of them; who is signed in; when this build was made. */
export function Menu() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const open = useAppSelector((state) => state.main.drawerOpen);
  const [asked, setAsked] = useState<Asked>(null);
  const close = () => void dispatch(drawerOpened(false));
  return (
    <>
      <Drawer
        open={open}
        onClose={close}
        label={t('shell.menu')}
        head={<WhoAmI />}
        foot={t('shell.built_at', { at: formatDateTime(__BUILT_AT__) })}
      >
        <MenuEntries onPress={close} onAsk={setAsked} />
        <ThemeSwitch />
      </Drawer>
      <MenuSheets asked={asked} onClose={() => setAsked(null)} />
    </>
  );
}

/** The entry that asks something before it does it. */
export type Asked = 'logout' | 'install' | null;

/** What those entries ask: beside what the entries stand in, which is gone once one was pressed. */
export function MenuSheets({ asked, onClose }: { asked: Asked; onClose: () => void }) {
  const { t } = useTranslation();
  return (
    <>
      <Logout open={asked === 'logout'} onClose={onClose} />
      <Sheet open={asked === 'install'} onClose={onClose} title={t('shell.install')}>
        {asked === 'install' && <InstallHint />}
      </Sheet>
    </>
  );
}

/** Everything that no tab holds. @param onPress something was pressed: what they stand in may close. */
export function MenuEntries({ onPress, onAsk }: { onPress?: () => void; onAsk: (asked: Asked) => void }) {
  const { t } = useTranslation();
  const { pathname } = useLocation();
  const { me, can, isStaff } = useAccess();
  // What a tab of theirs holds, and the rules that a shop's customers signed under.
  const isAdmin = me?.user_type === 'admin';
  const item = (icon: IconName, title: string, to: string, trail?: string) => (
    <li>
      <ListRow
        lead={<Icon name={icon} className="text-ink-2" />}
        title={title}
        to={to}
        trail={trail}
        isHere={pathname === to}
        className={entryLook}
      />
    </li>
  );
  return (
    // A press on any entry goes somewhere: the drawer closes behind it. The entries themselves are links and buttons.
    // oxlint-disable-next-line jsx-a11y/click-events-have-key-events, jsx-a11y/no-noninteractive-element-interactions
    <ul onClick={onPress}>
      {can.seeShops && !isAdmin && item('people', t('shell.my_shops'), paths.retailerList())}
      {isStaff && item('user', t('shell.my_profile'), paths.retailerProfile('me'))}
      {isStaff && !isAdmin && can.read && item('lock', t('shell.lock_rules'), paths.lockRules())}
      {me?.user_type === 'customer' && item('doc', t('shell.my_data'), paths.myData())}
      {item('phone', t('shell.sessions'), paths.sessions())}
      {item('globe', t('shell.language'), paths.language(), LANGUAGE_NAMES[currentLanguage()])}
      {item('shield', t('shell.privacy'), paths.privacyPolicy())}
      <InstallRow onHint={() => onAsk('install')} />
      <CallSupport />
      <li>
        <ListRow
          lead={<Icon name="logout" className="text-ink-2" />}
          title={t('shell.logout')}
          onPress={() => onAsk('logout')}
          className={entryLook}
        />
      </li>
    </ul>
  );
}

/** There as long as the browser has the home screen to offer, also for who once said no. */
function InstallRow({ onHint }: { onHint: () => void }) {
  const { t } = useTranslation();
  const can = useSyncExternalStore(install.subscribe, install.current);
  if (can === null) return null;
  return (
    <li>
      <ListRow
        lead={<Icon name="download" className="text-ink-2" />}
        title={t('shell.install')}
        onPress={can === 'ask' ? () => void install.ask() : onHint}
        className={entryLook}
      />
    </li>
  );
}

/** Closer together beside the screens of a desk, unless they are pressed by a finger. */
const entryLook =
  'lg:min-h-12 lg:rounded-md lg:px-3 lg:py-2 lg:pointer-fine:min-h-10 lg:pointer-fine:py-1.5 hover:bg-raise aria-[current=page]:bg-accent-soft aria-[current=page]:text-accent-text';

function CallSupport() {
  const { t } = useTranslation();
  const phone = useAppSelector((state) => state.main.org_config?.support.phone);
  if (!phone) return null;
  return (
    <li>
      <a
        href={telUrl(phone)}
        className={`flex min-h-14 items-center gap-3 px-3.5 py-2.5 font-semibold active:bg-raise ${entryLook}`}
      >
        <Icon name="help" className="text-ink-2" />
        <span className="flex-1">{t('shell.call_support')}</span>
        <span className="text-sm font-normal whitespace-nowrap text-ink-2">{formatMobile(phone)}</span>
      </a>
    </li>
  );
}

/** Name, shop and role of who is signed in. */
export function WhoAmI() {
  const { t } = useTranslation();
  const { data: me } = useMe();
  if (!me) return <p className="font-bold">{t('shell.menu')}</p>;
  const name = `${me.first_name} ${me.last_name}`.trim();
  return (
    <div className="flex items-center gap-3">
      <Avatar name={name} />
      <div className="min-w-0">
        <p className="font-bold">{name}</p>
        <p className="text-xs text-ink-2">
          {[me.shop_name, USER_TYPES.includes(me.user_type) ? t(`shell.${me.user_type}`) : '']
            .filter(Boolean)
            .join(' · ')}
        </p>
      </div>
    </div>
  );
}
