import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useLocation } from 'react-router';
import { isInCustomerList, paths } from '#web/paths.ts';
import { drawerOpened, tabChosen } from '#web/state/main-slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { BottomNav, type NavTab } from '#web/ui/bottom-nav.tsx';
import { useAccess } from '#web/widgets/use-access.ts';

/** Which tab a place belongs to; places that no tab owns keep the last one lit. */
function tabOf(pathname: string): string | undefined {
  if (pathname === paths.dashboard() || pathname === paths.myEmi()) return 'dashboard';
  if (pathname === paths.addCustomer()) return 'add';
  if (pathname.startsWith('/view-emi-details') || pathname === paths.upcomingEmi()) return 'emis';
  return isInCustomerList(pathname) ? 'customers' : undefined;
}

/** Home · Customers · Add · EMIs, an administrator's Home · Shops, as far as this user may; which of them is open. @param isLastKept of a place that no tab owns the last one stays lit. */
export function useTabs(isLastKept: boolean): NavTab[] {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const { pathname } = useLocation();
  const lastTab = useAppSelector((state) => state.main.mainScreenTab);
  const { me, can } = useAccess();
  const isCustomer = me?.user_type === 'customer';
  const isAdmin = me?.user_type === 'admin';
  const here = isAdmin && pathname === paths.retailerList() ? 'shops' : tabOf(pathname);
  useEffect(() => {
    if (here) dispatch(tabChosen(here));
  }, [here, dispatch]);
  const tabs: NavTab[] = [
    { key: 'dashboard', label: t('shell.home'), icon: 'home', to: paths.dashboard() },
    { key: 'customers', label: t('shell.customers'), icon: 'people', to: paths.customerList() },
    { key: 'add', label: t('shell.add'), icon: 'plus', to: paths.addCustomer(), main: true },
    { key: 'emis', label: t('shell.emis'), icon: 'calendar', to: paths.upcomingEmi() },
    { key: 'shops', label: t('shell.my_shops'), icon: 'people', to: paths.retailerList() },
  ];
  // A customer has one page; the tabs of the shop are not theirs, nor an administrator's, who sees no customer. What a shop's user may not do has no tab either;
  // home stays, and says so.
  const isShop = !isCustomer && !isAdmin;
  const hidden: Partial<Record<string, boolean>> = {
    customers: !isShop || !can.read,
    add: !isShop || !can.activate,
    emis: !isShop || !can.read,
    shops: !isAdmin || !can.seeShops,
  };
  const lit = here ?? (isLastKept ? lastTab : undefined);
  return tabs.filter(({ key }) => !hidden[key]).map((tab) => ({ ...tab, isActive: tab.key === lit }));
}

/** The tabs and, as the last, More. @param isRail only where there is room beside the screen */
export function MainTabs({ isRail }: { isRail: boolean }) {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isMore = useAppSelector((state) => state.main.drawerOpen);
  const tabs = useTabs(true).map((tab) => ({ ...tab, isActive: !isMore && Boolean(tab.isActive) }));
  const more: NavTab = {
    key: 'more',
    label: t('shell.more'),
    icon: 'more',
    onPress: () => dispatch(drawerOpened(true)),
    isActive: isMore,
  };
  return <BottomNav label={t('shell.main')} isRail={isRail} tabs={[...tabs, more]} />;
}
