import { useRef, useState, type KeyboardEvent } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation, useNavigate, useSearchParams } from 'react-router';
import { LIMITS } from '@kist/contract/limits';
import { formatDateTime } from '#web/i18n/formats.ts';
import { isInCustomerList, paths } from '#web/paths.ts';
import type { NavTab } from '#web/ui/bottom-nav.tsx';
import { IconButton } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Icon } from '#web/ui/icon.tsx';
import { Link } from '#web/ui/link.tsx';
import { SearchField } from '#web/ui/search-field.tsx';
import { useShortcut } from '#web/ui/shortcuts.ts';
import { SyncStrip } from '#web/widgets/sync-strip.tsx';
import { ThemeSwitch } from '#web/widgets/theme-switch.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { useSearchText } from '#web/widgets/use-search-text.ts';
import { useTabs } from './main-tabs.tsx';
import { type Asked, MenuEntries, MenuSheets, WhoAmI } from './menu.tsx';
import { ShortcutSheet } from './shortcut-sheet.tsx';

/** What a desk has around every screen: all places at the left, above them the search. */
export function Desk() {
  return (
    <>
      <SideNav />
      <TopBar />
    </>
  );
}

function SideNav() {
  const { t } = useTranslation();
  const [asked, setAsked] = useState<Asked>(null);
  return (
    <div className="fixed inset-y-0 left-0 z-20 flex w-56 flex-col border-r border-line bg-card xl:w-60 compact:banded">
      <div className="px-4 py-3">
        <WhoAmI />
      </div>
      <nav aria-label={t('shell.main')} className="min-h-0 flex-1 overflow-y-auto px-2 pb-2">
        <ul className="grid gap-0.5">
          {useTabs(false).map((tab) => (
            <li key={tab.key}>
              <Place tab={tab} />
            </li>
          ))}
        </ul>
        <hr className="mx-3 my-2 border-line" />
        <div className="text-sm">
          <MenuEntries onAsk={setAsked} />
        </div>
      </nav>
      <div className="border-t border-line pt-1 pb-2">
        <ThemeSwitch />
        <p className="px-4 text-xs text-ink-2">{t('shell.built_at', { at: formatDateTime(__BUILT_AT__) })}</p>
      </div>
      <MenuSheets asked={asked} onClose={() => setAsked(null)} />
    </div>
  );
}

const Place = ({ tab }: { tab: NavTab }) => (
  <Link
    to={tab.to ?? paths.dashboard()}
    aria-current={tab.isActive ? 'page' : undefined}
    className={cx(
      'flex min-h-12 items-center gap-3 rounded-md px-3 font-semibold',
      tab.main
        ? 'my-1 bg-accent text-accent-fg'
        : tab.isActive
          ? 'bg-accent-soft text-accent-text'
          : 'hover:bg-raise active:bg-raise',
    )}
  >
    <Icon name={tab.icon} />
    {tab.label}
  </Link>
);

function TopBar() {
  const { t } = useTranslation();
  const { me, can, isStaff } = useAccess();
  const [isHelp, setHelp] = useState(false);
  const shortcuts = useShortcut('?', () => setHelp(true));
  return (
    <div className="fixed inset-x-0 top-0 left-56 z-20 flex h-14 items-center gap-3 border-b border-line bg-bg/95 px-4 frosted xl:left-60">
      <div className="w-full max-w-104">{isStaff && me?.user_type !== 'admin' && can.read && <FindCustomer />}</div>
      <div className="ml-auto shrink-0 overflow-hidden rounded-full">
        <SyncStrip />
      </div>
      <IconButton
        icon="help"
        label={t('keyboard.title')}
        aria-keyshortcuts={shortcuts}
        onClick={() => setHelp(true)}
        className="-mr-2"
      />
      <ShortcutSheet open={isHelp} onClose={() => setHelp(false)} />
    </div>
  );
}

/** Finds a customer from everywhere: in the list while one types, from another screen when Enter is pressed. */
function FindCustomer() {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const { pathname } = useLocation();
  const [search, setSearch] = useSearchParams();
  const input = useRef<HTMLInputElement>(null);
  const isHere = isInCustomerList(pathname);
  const narrow = (wanted: string) =>
    setSearch(
      (before) => {
        before.delete('search');
        if (wanted) before.set('search', wanted);
        return before;
      },
      { replace: true, state: { search: true } },
    );
  const text = useSearchText(isHere ? (search.get('search') ?? '') : '', isHere ? narrow : () => undefined);
  const shortcuts = useShortcut('/', () => {
    input.current?.focus();
    input.current?.select();
  });
  const onKeyDown = (event: KeyboardEvent) => {
    const wanted = text.value.trim();
    if (event.key === 'Enter' && !isHere && wanted)
      void navigate(paths.customerList({ search: wanted }), { state: { search: true } });
    if (event.key !== 'ArrowDown') return;
    const first = document.querySelector<HTMLElement>('[data-row]');
    if (first) event.preventDefault();
    first?.focus();
  };
  return (
    <SearchField
      ref={input}
      label={t('customers.search')}
      value={text.value}
      onValue={text.change}
      maxLength={LIMITS.searchLength}
      shortcuts={shortcuts}
      onKeyDown={onKeyDown}
    />
  );
}
