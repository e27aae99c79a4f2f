import { useId } from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import type { CustomerProfile } from '@kist/contract/customers';
import type { EmiDetails } from '@kist/contract/emi';
import type { CallReply } from '#web/api/calls.ts';
import { isNetworkError } from '#web/api/errors.ts';
import { useRead } from '#web/api/use-call.ts';
import { formatDate, formatDateTime, shopToday } from '#web/i18n/formats.ts';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { paths } from '#web/paths.ts';
import { Button, ButtonAnchor, ButtonLink } from '#web/ui/button.tsx';
import { Card, Facts } from '#web/ui/card.tsx';
import { EraseData } from '#web/widgets/erase-data.tsx';
import { Purchases, usePurchase } from '#web/widgets/purchases.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { useSaveFile } from '#web/widgets/save-file.ts';
import { simFacts } from '#web/widgets/sim-facts.ts';
import { keptCounts, keptFile, placeText } from './kept.ts';
import { Part } from './part.tsx';

/** What is kept of a customer, for that customer: to read, and to take along. Each part stands by itself: one that cannot be had keeps none back. */
export function Screen() {
  const { t } = useTranslation();
  const { me, id, ids } = usePurchase();
  if (me.data && me.data.user_type !== 'customer') return <Navigate to={paths.dashboard()} replace />;
  return (
    <Frame title={t('shell.my_data')} back={paths.myEmi(ids.length > 1 ? id : undefined)}>
      <Purchases id={id} ids={ids} />
      <QueryView result={me}>{() => <Parts key={id} customerId={id} />}</QueryView>
    </Frame>
  );
}

function useParts(customerId: string) {
  const query = { customer_id: customerId };
  const profile = useRead('getCustomerProfile', { query });
  const documents = useRead('getCustomerDocuments', { query });
  const ofMoney = { skip: !profile.data?.agreement };
  const emi = useRead('getEmiDetails', { body: query }, ofMoney);
  const told = useRead('getNoticeLink', { query }, ofMoney);
  const whole = useRead('getCustomerData', { query });
  return { profile, documents, emi, told, whole };
}

/** @returns all of it for the file; undefined while a part is missing. */
function wholeOf({ profile, told, whole }: ReturnType<typeof useParts>): string | undefined {
  if (!profile.data || !whole.data) return undefined;
  // That there is no page of messages is an answer too; that nobody answered is none.
  const isTold = told.data !== undefined || (told.error !== undefined && !isNetworkError(told.error));
  if (profile.data.agreement && !isTold) return undefined;
  return keptFile(whole.data, told.data?.url ?? null);
}

function Parts({ customerId }: { customerId: string }) {
  const { t } = useTranslation();
  const parts = useParts(customerId);
  const { profile, documents, emi, told } = parts;
  const { device, agreement } = profile.data ?? {};
  return (
    <>
      <p className="text-ink-2">{t('my_data.intro')}</p>
      <Part title={t('my_data.you')} result={profile}>
        {({ customer }) => <Facts items={personFacts(customer, t)} />}
      </Part>
      {device && (
        <Card className="grid gap-2">
          <h2 className="font-bold">{t('emi.phone')}</h2>
          <Facts items={phoneFacts(device, t)} />
        </Card>
      )}
      {profile.data && agreement && (
        <Part title={t('emi.agreement')} result={emi}>
          {(found) => <Facts items={agreementFacts(profile.data!, found, t)} />}
        </Part>
      )}
      <Part title={t('my_data.pictures')} result={documents}>
        {(pictures) => <Pictures documents={pictures} />}
      </Part>
      <Card className="grid gap-1">
        <h2 className="font-bold">{t('privacy.never_title')}</h2>
        <p className="text-ink-2">{t('privacy.never_body')}</p>
      </Card>
      <TakeAlong whole={wholeOf(parts)} />
      {told.data && (
        <ButtonAnchor href={told.data.url} icon="bell" block>
          {t('mine.notices')}
        </ButtonAnchor>
      )}
      <ButtonLink to={paths.privacyPolicy()} tone="plain" icon="shield" block>
        {t('shell.privacy')}
      </ButtonLink>
      <EraseData customerId={customerId} />
    </>
  );
}

/** A file that says less than there is would be a wrong one: it waits for all parts, and says so. */
function TakeAlong({ whole }: { whole: string | undefined }) {
  const { t } = useTranslation();
  const hint = useId();
  const save = useSaveFile();
  return (
    <>
      <Button
        icon="download"
        block
        disabled={whole === undefined}
        aria-describedby={whole === undefined ? hint : undefined}
        onClick={() => void (whole !== undefined && save(whole, `my-data-${shopToday()}.json`))}
      >
        {t('my_data.download')}
      </Button>
      {whole === undefined && (
        <p id={hint} className="text-sm text-ink-2">
          {t('my_data.not_whole')}
        </p>
      )}
    </>
  );
}

function Pictures({ documents }: { documents: CallReply<'getCustomerDocuments'> }) {
  const { t } = useTranslation();
  if (documents.length === 0) return <p className="text-ink-2">{t('my_data.no_pictures')}</p>;
  const types = [...new Set(documents.map((one) => one.document_type))];
  const items = types.map((type) => ({
    label: t(`my_data.type.${type}`),
    value: documents
      .filter((one) => one.document_type === type)
      .map((one) => formatDateTime(one.created_at))
      .join(', '),
  }));
  return <Facts items={items} />;
}

/** Counted here, whole in the download. */
const agreementFacts = (profile: CustomerProfile, emi: EmiDetails, t: Say): Fact[] => [
  { label: t('emi.no'), value: emi.agreement.agreement_no },
  ...keptCounts({ profile, emi }).map(([key, count]) => ({ label: t(key), value: String(count) })),
];

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
  ...simFacts(device.sims, t),
  ...given(t('device.last_seen'), device.last_seen_at && formatDateTime(device.last_seen_at)),
  ...given(
    t('my_data.location'),
    device.location &&
      `${device.location.latitude}, ${device.location.longitude} · ${formatDateTime(device.location.at)}`,
  ),
];
