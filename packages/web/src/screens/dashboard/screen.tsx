import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import type { Dashboard } from '@kist/contract/reports';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { Avatar } from '#web/ui/avatar.tsx';
import { useWhole } from '#web/ui/use-whole.ts';
import { late } from '#web/widgets/late.tsx';
import { useMe } from '#web/widgets/use-access.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { Bell } from './bell.tsx';
import { Birthdays } from './birthdays.tsx';
import { BooksBanner } from './books-banner.tsx';
import { DaysPastDue } from './days-past-due.tsx';
import { DoNow } from './do-now.tsx';
import { Counts, Figures } from './figures.tsx';
import { Keys } from './keys.tsx';
import { ToCollect } from './to-collect.tsx';
import { Weeks } from './weeks.tsx';

/** With words of other screens: few are administrators. */
const AdminHome = late(async () => (await import('#web/widgets/admin-home.tsx')).AdminHome);

/** The shop's day: what to collect, what to do first, how it stands. Every figure opens the list behind it. An administrator has what the company decides. */
export function Screen() {
  const { t } = useTranslation();
  const who = useMe();
  const me = who.data;
  const isCustomer = me?.user_type === 'customer';
  const isAdmin = me?.user_type === 'admin';
  const day = useRead('getDashboard', {}, { pollMs: 60_000, skip: me === undefined || isCustomer || isAdmin });
  // A customer's home is the own agreement.
  if (isCustomer) return <Navigate to={paths.myEmi()} replace />;
  return (
    <Frame
      title={me ? t('dashboard.greeting', { name: me.first_name }) : t('shell.home')}
      detail={me?.shop_name}
      lead={me && <Avatar name={me.shop_name || me.first_name} />}
      wide
      actions={
        <>
          {!isAdmin && <SearchButton />}
          {isAdmin ? <AdminBell /> : <Bell unread={day.latest?.unread ?? 0} />}
        </>
      }
    >
      {/* The day is asked for once it is known whose. Who one is, is no figure of then: where no day was ever read nothing here is old. */}
      <QueryView result={{ ...who, keptAtMs: undefined }}>
        {() => (isAdmin ? <AdminHome /> : <QueryView result={day}>{(data) => <Day day={data} />}</QueryView>)}
      </QueryView>
    </Frame>
  );
}

/** The administrator has no day of a shop to learn it from: what is unread stands first in the bell, since all of it is read at once. */
function AdminBell() {
  const bell = useRead('listNotifications', { query: { page: 1, page_size: 100 } }, { pollMs: 60_000 });
  const unread = bell.latest?.list.filter(({ read_at }) => read_at === null) ?? [];
  return <Bell unread={unread.length} onClosed={bell.refetch} />;
}

function Day({ day }: { day: Dashboard }) {
  const isWhole = useWhole();
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] gap-3 compact:gap-2 @[40rem]:grid-cols-[repeat(2,minmax(0,1fr))] @[40rem]:gap-5">
      <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 compact:gap-2">
        <BooksBanner books={day.books} />
        <ToCollect today={day.today} />
        <Figures day={day} />
        <DoNow items={day.do_now} />
        <Counts day={day} />
      </div>
      {isWhole && (
        <div className="grid grid-cols-[minmax(0,1fr)] content-start gap-3 compact:gap-2">
          <DaysPastDue stretches={day.days_past_due} />
          <Weeks collections={day.collections} upcoming={day.upcoming} />
          <Birthdays people={day.birthdays} />
          <Keys keys={day.keys} />
        </div>
      )}
    </div>
  );
}
