import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { deviceName } from '#web/api/browser-facts.ts';
import type { CallReply } from '#web/api/calls.ts';
import { useRead, useWrite } from '#web/api/use-call.ts';
import { formatAgo, formatDateTime } from '#web/i18n/formats.ts';
import { paths } from '#web/paths.ts';
import { Button } from '#web/ui/button.tsx';
import { Chip } from '#web/ui/chip.tsx';
import { Confirm } from '#web/ui/confirm.tsx';
import { ListRow, RowGroup, RowIcon } from '#web/ui/list-row.tsx';
import { type Column, Table } from '#web/ui/table.tsx';
import { toast } from '#web/ui/toast.ts';
import { useAtLeast } from '#web/ui/use-width.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { SearchButton } from '#web/widgets/search-button.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { Passkeys } from './passkeys.tsx';

type Session = CallReply<'mySessions'>[number];

/** Own sessions: which devices, where, since when; log out one or all others. */
export function Screen() {
  const { t } = useTranslation();
  const { can, isStaff } = useAccess();
  const sessions = useRead('mySessions', {});
  return (
    <Frame
      title={t('sessions.title')}
      back={paths.dashboard()}
      wide
      // A customer has sessions too.
      actions={isStaff && can.read && <SearchButton />}
    >
      <p className="text-ink-2">{t('sessions.intro')}</p>
      <QueryView result={sessions}>{(list) => <SessionList sessions={list} />}</QueryView>
      <Passkeys />
    </Frame>
  );
}

const useDeviceName = () => {
  const { t } = useTranslation();
  return (session: Session): string => deviceName(session.device) || session.platform || t('sessions.unknown');
};

function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const { t } = useTranslation();
  const nameOf = useDeviceName();
  const problem = useProblem();
  const [logout, { isBusy }] = useWrite('logoutMySession', ['mySessions']);
  const [asked, setAsked] = useState<Session | 'others' | null>(null);
  const others = sessions.filter((session) => !session.is_current);
  const end = async () => {
    if (!asked) return;
    const { data, error } = await logout({
      body: asked === 'others' ? { all_others: true } : { session_id: asked.session_id },
    });
    setAsked(null);
    if (error) problem(error);
    else toast.ok(t('sessions.ended', { count: data.ended }));
  };
  return (
    <>
      <SessionRows sessions={sessions} onLogout={setAsked} />
      {others.length === 0 ? (
        <p className="text-center text-sm text-ink-2 md:text-left">{t('sessions.only_this')}</p>
      ) : (
        <Button tone="danger" icon="logout" className="md:justify-self-start" onClick={() => setAsked('others')}>
          {t('sessions.logout_others')}
        </Button>
      )}
      <Confirm
        open={asked !== null}
        onClose={() => setAsked(null)}
        title={
          asked && asked !== 'others'
            ? t('sessions.logout_one_ask', { device: nameOf(asked) })
            : t('sessions.logout_others_ask')
        }
        confirmLabel={t('shell.logout')}
        danger
        busy={isBusy}
        onConfirm={() => void end()}
      />
    </>
  );
}

interface Rows {
  sessions: readonly Session[];
  onLogout: (session: Session) => void;
}

/** Below one another, by columns where there is room. */
function SessionRows({ sessions, onLogout }: Rows) {
  const isTable = useAtLeast('tablet');
  if (isTable) return <SessionTable sessions={sessions} onLogout={onLogout} />;
  return (
    <RowGroup>
      {sessions.map((session) => (
        <SessionRow key={session.session_id} session={session} onLogout={() => onLogout(session)} />
      ))}
    </RowGroup>
  );
}

function SessionTable({ sessions, onLogout }: Rows) {
  const { t } = useTranslation();
  const nameOf = useDeviceName();
  const columns: Column<Session>[] = [
    { key: 'device', head: t('sessions.device'), cell: (session) => <b>{nameOf(session)}</b> },
    {
      key: 'place',
      head: t('sessions.place'),
      cell: (session) => [session.browser, session.place].filter(Boolean).join(' · '),
    },
    { key: 'seen', head: t('sessions.seen'), cell: (session) => formatAgo(session.last_seen_at) },
    {
      key: 'since',
      head: t('sessions.since_head'),
      cell: (session) => formatDateTime(session.created_at),
      className: 'whitespace-nowrap',
    },
    {
      key: 'do',
      head: t('sessions.logout_one'),
      hideHead: true,
      className: 'text-right',
      cell: (session) =>
        session.is_current ? (
          <Chip tone="ok">{t('sessions.this_device')}</Chip>
        ) : (
          <Button tone="plain" icon="logout" className="-my-0.5" onClick={() => onLogout(session)}>
            {t('sessions.logout_one')}
          </Button>
        ),
    },
  ];
  return (
    <Table label={t('sessions.title')} columns={columns} rows={sessions} keyOf={(session) => session.session_id} />
  );
}

function SessionRow({ session, onLogout }: { session: Session; onLogout: () => void }) {
  const { t } = useTranslation();
  const nameOf = useDeviceName();
  return (
    <div>
      <ListRow
        lead={<RowIcon icon="phone" tone={session.is_current ? 'ok' : 'lock'} />}
        title={nameOf(session)}
        detail={
          <>
            {[session.browser, session.place].filter(Boolean).join(' · ')}
            <span className="block">{t('sessions.last_seen', { when: formatAgo(session.last_seen_at) })}</span>
            <span className="block">{t('sessions.since', { at: formatDateTime(session.created_at) })}</span>
          </>
        }
        trail={session.is_current && <Chip tone="ok">{t('sessions.this_device')}</Chip>}
      />
      {!session.is_current && (
        <div className="px-3.5 pb-3">
          <Button tone="plain" block icon="logout" onClick={onLogout}>
            {t('sessions.logout_one')}
          </Button>
        </div>
      )}
    </div>
  );
}
