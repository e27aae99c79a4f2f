import { useTranslation } from 'react-i18next';
import { businessDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import { mobileDigits } from '#web/i18n/mobile.ts';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { Card, SectionTitle } from '#web/ui/card.tsx';
import { digits, panLetters } from '#web/ui/clean-text.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { FormField } from './inputs.tsx';
import { mayPickContacts, pickContact } from '#web/native/contacts.ts';
import { Button } from '#web/ui/button.tsx';
import { useLanguages } from '#web/theme/use-brand.ts';
import { late } from '#web/widgets/late.tsx';
import { PLACE_LISTS, PlaceChoices } from '#web/widgets/place-choices.tsx';
import { shopNowMs } from '#web/state/shop-clock.ts';
import { usePlaceOfPincode } from './pincode.ts';
import type { Form } from './use-form.ts';

/** No sale waits for its papers: their code comes once the fields stand. */
const DocumentsPart = late(async () => (await import('./documents-part.tsx')).DocumentsPart);

/** Below one another on a phone, side by side on a desk. */
const columns = 'grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-2 lg:gap-5';
const column = 'grid grid-cols-[minmax(0,1fr)] content-start gap-3';

/** Who buys. Of the Aadhaar only four digits are asked, the PAN never stays on this phone. */
export function IdentityStep(props: { form: Form; hasPan: boolean; draftId: string | undefined }) {
  const { form, hasPan, draftId } = props;
  const { t } = useTranslation();
  return (
    <div className={columns}>
      <div className={column}>
        {/* On a phone the screen's own title is right above. */}
        <div className="hidden lg:block">
          <SectionTitle>{t('shell.customer')}</SectionTitle>
        </div>
        <Person form={form} />
      </div>
      <div className={column}>
        <SectionTitle>{t('customer.address')}</SectionTitle>
        <Address form={form} />
        <SectionTitle>{t('add.papers')}</SectionTitle>
        <Papers form={form} hasPan={hasPan} />
        <DocumentsPart form={form} draftId={draftId} />
      </div>
    </div>
  );
}

/** Name and number out of the phone's own contacts, where the browser lets people pick. */
function FromContacts({ form }: { form: Form }) {
  const { t } = useTranslation();
  if (!mayPickContacts()) return null;
  const pick = async () => {
    const picked = await pickContact();
    if (!picked) return;
    form.set({
      'customer.first_name': picked.firstName.slice(0, LIMITS.nameLength),
      'customer.last_name': picked.lastName.slice(0, LIMITS.nameLength),
      'customer.mobile': mobileDigits(picked.mobile),
    });
  };
  return (
    <div className="sm:col-span-2">
      <Button tone="plain" icon="people" block onClick={() => void pick()}>
        {t('add.from_contacts')}
      </Button>
    </div>
  );
}

function Person({ form }: { form: Form }) {
  const { t } = useTranslation();
  const languages = useLanguages(form.values['customer.language']);
  const optional = t('common.optional');
  const mobile = { prefix: '+91', type: 'tel', inputMode: 'numeric', clean: mobileDigits } as const;
  const name = { maxLength: LIMITS.nameLength, autoCapitalize: 'words' } as const;
  return (
    <Card className="grid gap-4 sm:grid-cols-2">
      <FromContacts form={form} />
      <FormField form={form} name="customer.first_name" label={t('add.first_name')} wanted {...name} />
      <FormField form={form} name="customer.last_name" label={t('add.last_name')} optional={optional} {...name} />
      <FormField
        form={form}
        name="customer.mobile"
        label={t('auth.mobile')}
        hint={t('add.mobile_hint')}
        wanted
        {...mobile}
      />
      <FormField
        form={form}
        name="customer.alternate_mobile"
        label={t('customer.alternate')}
        hint={t('add.alternate_hint')}
        optional={optional}
        {...mobile}
      />
      <BirthDate form={form} />
      <SelectField
        label={t('add.language')}
        hint={t('add.language_hint')}
        name="customer.language"
        value={form.values['customer.language']}
        error={form.sentences['customer.language']}
        onChange={(event) =>
          form.set({ 'customer.language': event.currentTarget.value, 'consent.language': event.currentTarget.value })
        }
        options={languages.map((code) => ({ value: code, label: LANGUAGE_NAMES[code] }))}
      />
    </Card>
  );
}

function BirthDate({ form }: { form: Form }) {
  const { t } = useTranslation();
  return (
    <DateField
      label={t('customer.birth')}
      hint={t('add.birth_hint')}
      optional={t('common.optional')}
      name="customer.birth_on"
      autoComplete="off"
      max={businessDate(shopNowMs())}
      value={form.values['customer.birth_on']}
      error={form.sentences['customer.birth_on']}
      onChange={(event) => form.set({ 'customer.birth_on': event.currentTarget.value })}
    />
  );
}

function Address({ form }: { form: Form }) {
  const { t } = useTranslation();
  usePlaceOfPincode(form);
  const optional = t('common.optional');
  return (
    <Card className="grid gap-4 sm:grid-cols-2">
      <FormField
        form={form}
        name="customer.address.line1"
        label={t('add.line1')}
        optional={optional}
        maxLength={LIMITS.addressLength}
        fieldClassName="sm:col-span-2"
      />
      <FormField
        form={form}
        name="customer.address.pincode"
        label={t('add.pincode')}
        optional={optional}
        inputMode="numeric"
        clean={digits(6)}
      />
      <FormField
        form={form}
        name="customer.address.city"
        label={t('add.city')}
        list={PLACE_LISTS.city}
        optional={optional}
        maxLength={LIMITS.placeLength}
      />
      <FormField
        form={form}
        name="customer.address.state"
        label={t('add.state')}
        list={PLACE_LISTS.state}
        optional={optional}
        maxLength={LIMITS.placeLength}
      />
      <PlaceChoices state={form.values['customer.address.state']} />
    </Card>
  );
}

/** @param props `hasPan`: the form was begun before; a PAN given then was not kept on this phone. */
function Papers({ form, hasPan }: { form: Form; hasPan: boolean }) {
  const { t } = useTranslation();
  const optional = t('common.optional');
  return (
    <Card className="grid gap-4 sm:grid-cols-2">
      <FormField
        form={form}
        name="customer.aadhaar_last4"
        label={t('add.aadhaar')}
        hint={t('add.aadhaar_hint')}
        optional={optional}
        prefix="•••• ••••"
        inputMode="numeric"
        clean={digits(4)}
      />
      <FormField
        form={form}
        name="customer.pan"
        label={t('add.pan')}
        hint={hasPan ? t('add.pan_again') : t('add.pan_hint')}
        optional={optional}
        autoCapitalize="characters"
        spellCheck={false}
        clean={panLetters}
      />
    </Card>
  );
}
