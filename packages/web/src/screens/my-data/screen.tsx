import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import type { CustomerProfile } from '@kist/contract/customers';
import { useRead } from '#web/api/use-call.ts';
import { formatDate, formatDateTime, shopToday } from '#web/i18n/formats.ts';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { shareFile } from '#web/native/share.ts';
import { paths } from '#web/paths.ts';
import { Button, ButtonAnchor, ButtonLink } from '#web/ui/button.tsx';
import { Card, Facts, SectionTitle } from '#web/ui/card.tsx';
import { ListRow, RowGroup } from '#web/ui/list-row.tsx';
import { toast } from '#web/ui/toast.ts';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { useMe } from '#web/widgets/use-access.ts';
import { type Kept, keptCounts, keptFile, placeText } from './kept.ts';

/** What is kept of a customer, for that customer: to read, and to take along. */
export function Screen() {
  const { t } = useTranslation();
  const me = useMe();
  const id = me.data?.customer_id ?? '';
  const skip = id === '';
  const profile = useRead('getCustomerProfile', { query: { customer_id: id } }, { skip });
  const documents = useRead('getCustomerDocuments', { query: { customer_id: id } }, { skip });
  const ofMoney = { skip: !profile.data?.agreement };
  const emi = useRead('getEmiDetails', { body: { customer_id: id } }, ofMoney);
  const told = useRead('getNoticeLink', { query: { customer_id: id } }, ofMoney);
  if (me.data && me.data.user_type !== 'customer') return <Navigate to={paths.dashboard()} replace />;
  return (
    <Frame title={t('shell.my_data')} back={paths.myEmi()}>
      <QueryView result={me}>
        {() => (
          <QueryView result={profile}>
            {(found) => (
              <QueryView result={documents}>
                {(pictures) => (
                  <Page
                    kept={{ profile: found, documents: pictures, emi: emi.data, messages: told.data?.url ?? null }}
                    isWhole={!found.agreement || Boolean(emi.data && (told.data || told.error))}
                  />
                )}
              </QueryView>
            )}
          </QueryView>
        )}
      </QueryView>
    </Frame>
  );
}

function Page({ kept, isWhole }: { kept: Kept; isWhole: boolean }) {
  const { profile, documents, messages } = kept;
  const { t } = useTranslation();
  const save = async () => {
    const outcome = await shareFile(
      new File([keptFile(kept)], `my-data-${shopToday()}.json`, { type: 'application/json' }),
    );
    if (outcome === 'saved') toast.ok(t('my_data.saved'));
  };
  return (
    <>
      <p className="text-ink-2">{t('my_data.intro')}</p>
      <Card className="grid gap-2">
        <h2 className="font-bold">{t('my_data.you')}</h2>
        <Facts items={personFacts(profile.customer, t)} />
      </Card>
      {profile.device && (
        <Card className="grid gap-2">
          <h2 className="font-bold">{t('emi.phone')}</h2>
          <Facts items={phoneFacts(profile.device, t)} />
        </Card>
      )}
      <AgreementCard kept={kept} />
      <Pictures documents={documents} />
      <Card className="grid gap-1">
        <h2 className="font-bold">{t('privacy.never_title')}</h2>
        <p className="text-ink-2">{t('privacy.never_body')}</p>
      </Card>
      <Button icon="download" block disabled={!isWhole} onClick={() => void save()}>
        {t('my_data.download')}
      </Button>
      {messages && (
        <ButtonAnchor href={messages} icon="bell" block>
          {t('mine.notices')}
        </ButtonAnchor>
      )}
      <ButtonLink to={paths.privacyPolicy()} tone="plain" icon="shield" block>
        {t('shell.privacy')}
      </ButtonLink>
    </>
  );
}

function Pictures({ documents }: Pick<Kept, 'documents'>) {
  const { t } = useTranslation();
  if (documents.length === 0) return null;
  return (
    <>
      <SectionTitle>{t('my_data.pictures')}</SectionTitle>
      <RowGroup label={t('my_data.pictures')}>
        {documents.map((one) => (
          <ListRow
            key={one.document_id}
            title={t(`my_data.type.${one.document_type}`)}
            trail={formatDateTime(one.created_at)}
          />
        ))}
      </RowGroup>
    </>
  );
}

/** Counted here, whole in the download. */
function AgreementCard({ kept }: { kept: Kept }) {
  const { t } = useTranslation();
  const { agreement } = kept.profile;
  if (!agreement || !kept.emi) return null;
  const counts = keptCounts(kept).map(([key, count]) => ({ label: t(key), value: String(count) }));
  return (
    <Card className="grid gap-2">
      <h2 className="font-bold">{t('emi.agreement')}</h2>
      <Facts items={[{ label: t('emi.no'), value: agreement.agreement_no }, ...counts]} />
    </Card>
  );
}

type Say = ReturnType<typeof useTranslation>['t'];
interface Fact {
  label: string;
  value: string;
}
/** A line for what is kept; none for what was never given. */
const given = (label: string, value: string | null | undefined): Fact[] => (value ? [{ label, value }] : []);

const personFacts = (person: CustomerProfile['customer'], t: Say): Fact[] => [
  ...given(t('my_data.name'), `${person.first_name} ${person.last_name}`.trim()),
  ...given(t('customer.mobile'), formatMobile(person.mobile)),
  ...given(t('customer.alternate'), person.alternate_mobile && formatMobile(person.alternate_mobile)),
  ...given(t('my_data.email'), person.email),
  ...given(t('customer.address'), placeText(person.address)),
  ...given(t('my_data.birth'), person.birth_on && formatDate(person.birth_on)),
  ...given(t('my_data.aadhaar'), person.aadhaar_masked),
  ...given('PAN', person.pan_masked),
  ...given(t('shell.language'), LANGUAGE_NAMES[person.language as keyof typeof LANGUAGE_NAMES]),
  ...given(t('customer.added'), formatDateTime(person.created_at)),
];

const phoneFacts = (device: NonNullable<CustomerProfile['device']>, t: Say): Fact[] => [
  ...given(t('emi.phone'), `${device.brand} ${device.model}`.trim()),
  ...given('IMEI', [device.imei1, device.imei2].filter(Boolean).join(', ')),
  ...given(t('my_data.serial'), device.serial),
  ...device.sims.map(({ slot, operator, iccid_tail }) => ({
    label: t('device.sim', { slot }),
    value: `${operator} …${iccid_tail}`,
  })),
  ...given(t('device.last_seen'), device.last_seen_at && formatDateTime(device.last_seen_at)),
  ...given(
    t('my_data.location'),
    device.location &&
      `${device.location.latitude}, ${device.location.longitude} · ${formatDateTime(device.location.at)}`,
  ),
];
