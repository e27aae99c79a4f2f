import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { paths } from '#web/paths.ts';
import { drawerOpened, tabChosen } from '#web/state/main-slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { BottomNav, type NavTab } from '#web/ui/bottom-nav.tsx';
import { useAccess } from '#web/widgets/use-access.ts';

/** Which tab a place belongs to; places that no tab owns keep the last one lit. */
function tabOf(pathname: string): string | undefined {
  if (pathname === paths.dashboard() || pathname === paths.myEmi()) return 'dashboard';
  if (pathname === paths.addCustomer()) return 'add';
  if (pathname.startsWith('/view-emi-details') || pathname === paths.upcomingEmi()) return 'emis';
  return pathname.startsWith(paths.customerList()) ? 'customers' : undefined;
}

/** Home · Customers · Add · EMIs · More. @param isRail only where there is room beside the screen */
export function MainTabs({ isRail }: { isRail: boolean }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();
  const { mainScreenTab, drawerOpen } = useAppSelector((state) => state.main);
  const { me, can } = useAccess();
  const isCustomer = me?.user_type === 'customer';
  const here = tabOf(pathname);
  useEffect(() => {
    if (here) dispatch(tabChosen(here));
  }, [here, dispatch]);
  const at = here ?? mainScreenTab;
  const tabs: NavTab[] = [
    { key: 'dashboard', label: t('shell.home'), icon: 'home', to: paths.dashboard() },
    { key: 'customers', label: t('shell.customers'), icon: 'people', to: paths.customerList() },
    { key: 'add', label: t('shell.add'), icon: 'plus', to: paths.addCustomer(), main: true },
    { key: 'emis', label: t('shell.emis'), icon: 'calendar', to: paths.upcomingEmi() },
    { key: 'more', label: t('shell.more'), icon: 'more', onPress: () => dispatch(drawerOpened(true)) },
  ];
  // A customer has one page; the tabs of the shop are not theirs. What a shop's user may not do has no tab either; home stays, and says so.
  const hidden: Partial<Record<string, boolean>> = {
    customers: isCustomer || !can.read,
    add: isCustomer || !can.activate,
    emis: isCustomer || !can.read,
  };
  const shown = tabs.filter(({ key }) => !hidden[key]);
  return (
    <BottomNav
      label={t('shell.main')}
      isRail={isRail}
      tabs={shown.map((tab) => ({ ...tab, isActive: drawerOpen ? tab.key === 'more' : tab.key === at }))}
    />
  );
}
