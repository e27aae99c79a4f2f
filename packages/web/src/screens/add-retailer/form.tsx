import { useTranslation } from 'react-i18next';
import { useNavigate } from 'react-router';
import { businessDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import type { CallReply } from '#web/api/calls.ts';
import { useWrite } from '#web/api/use-call.ts';
import { mobileDigits } from '#web/i18n/mobile.ts';
import { paths } from '#web/paths.ts';
import { shopNowMs } from '#web/state/shop-clock.ts';
import { Button } from '#web/ui/button.tsx';
import { Card, SectionTitle } from '#web/ui/card.tsx';
import { DateField } from '#web/ui/date-field.tsx';
import { RadioRows } from '#web/ui/switch.tsx';
import { toast } from '#web/ui/toast.ts';
import { PLACE_LISTS, PlaceChoices } from '#web/widgets/place-choices.tsx';
import { FormField, pincodeDigits, useTextForm } from '#web/widgets/text-form.tsx';

type Shop = CallReply<'getUserDetails'>;
const valuesOf = (shop: Shop | undefined) => ({
  user_type: 'miniretailer',
  shop_name: shop?.shop_name ?? '',
  first_name: shop?.first_name ?? '',
  last_name: shop?.last_name ?? '',
  mobile: mobileDigits(shop?.mobile ?? ''),
  email: shop?.email ?? '',
  upi_id: shop?.upi_id ?? '',
  birth_on: shop?.birth_on ?? '',
  line1: shop?.address.line1 ?? '',
  city: shop?.address.city ?? '',
  state: shop?.address.state ?? '',
  pincode: shop?.address.pincode ?? '',
});

type Values = ReturnType<typeof valuesOf>;
/** All but the kind, which a shop that is there has, and the mobile number, which is said only where it changes. */
const bodyOf = ({ line1, city, state, pincode, mobile: _mobile, user_type: _kind, ...rest }: Values) => ({
  ...rest,
  address: { line1, city, state, pincode },
});

const NEEDED = ['shop_name', 'first_name', 'mobile'] as const;
const KINDS = ['miniretailer', 'retailer'] as const;
type Kind = (typeof KINDS)[number];

/** @param props.shop the one that is changed; undefined: a new one. @param props.mayAddBeside whether the new one may be a shop of its own */
export function ShopForm({ shop, mayAddBeside }: { shop: Shop | undefined; mayAddBeside: boolean }) {
  const { t } = useTranslation();
  const form = useShopForm(shop);
  return (
    <form
      noValidate
      className="grid gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        void form.send();
      }}
    >
      <div className="grid grid-cols-[minmax(0,1fr)] gap-3 lg:grid-cols-2 lg:gap-5">
        <div className="grid content-start gap-3">
          {mayAddBeside && <KindChoice kind={form.kind} onChange={(kind) => form.set('user_type', kind)} />}
          <SectionTitle>{t('retailers.details')}</SectionTitle>
          <Owner form={form} mayChangeMobile={shop === undefined || shop.may.manage} />
        </div>
        <div className="grid content-start gap-3">
          <SectionTitle>{t('customer.address')}</SectionTitle>
          <Address form={form} />
          {shop === undefined && <p className="text-sm text-ink-2">{t('retailers.new_hint')}</p>}
        </div>
      </div>
      <Button type="submit" icon="check" busy={form.isBusy} className="lg:justify-self-end lg:px-8">
        {t('common.save')}
      </Button>
    </form>
  );
}

function KindChoice({ kind, onChange }: { kind: Kind; onChange: (kind: Kind) => void }) {
  const { t } = useTranslation();
  return (
    <div className="grid gap-2">
      <RadioRows
        label={t('retailers.kind')}
        name="kind"
        value={kind}
        onChange={onChange}
        options={KINDS.map((value) => ({ value, label: t(`retailers.kind_${value}`) }))}
      />
      {kind === 'retailer' && <p className="text-sm text-ink-2">{t('retailers.kind_hint')}</p>}
    </div>
  );
}

function Owner({ form, mayChangeMobile }: { form: Form; mayChangeMobile: boolean }) {
  const { t } = useTranslation();
  const optional = t('common.optional');
  const name = { maxLength: LIMITS.nameLength, autoCapitalize: 'words' } as const;
  const plain = { autoCapitalize: 'none', spellCheck: false, optional } as const;
  return (
    <Card className="grid gap-4 sm:grid-cols-2">
      <FormField form={form} name="shop_name" label={t('retailers.shop_name')} {...name} />
      <FormField form={form} name="first_name" label={t('add.first_name')} {...name} />
      <FormField form={form} name="last_name" label={t('add.last_name')} optional={optional} {...name} />
      {mayChangeMobile && (
        <FormField
          form={form}
          name="mobile"
          label={t('auth.mobile')}
          hint={t('retailers.mobile_hint')}
          prefix="+91"
          type="tel"
          inputMode="numeric"
          clean={mobileDigits}
        />
      )}
      <FormField form={form} name="email" label={t('retailers.email')} type="email" inputMode="email" {...plain} />
      <FormField form={form} name="upi_id" label={t('retailers.upi_id')} hint={t('retailers.upi_hint')} {...plain} />
      <DateField
        label={t('customer.birth')}
        optional={optional}
        name="birth_on"
        autoComplete="off"
        max={businessDate(shopNowMs())}
        value={form.values.birth_on}
        error={form.wrong.birth_on}
        onChange={(event) => form.set('birth_on', event.currentTarget.value)}
      />
    </Card>
  );
}

function Address({ form }: { form: Form }) {
  const { t } = useTranslation();
  const place = { optional: t('common.optional'), maxLength: LIMITS.placeLength };
  const line = { ...place, maxLength: LIMITS.addressLength };
  return (
    <Card className="grid gap-4 sm:grid-cols-2">
      <FormField form={form} name="line1" label={t('add.line1')} {...line} />
      <FormField form={form} name="city" label={t('add.city')} list={PLACE_LISTS.city} {...place} />
      <FormField
        form={form}
        name="pincode"
        label={t('add.pincode')}
        {...place}
        inputMode="numeric"
        clean={pincodeDigits}
      />
      <FormField form={form} name="state" label={t('add.state')} list={PLACE_LISTS.state} {...place} />
      <PlaceChoices state={form.values.state} />
    </Card>
  );
}

type Form = ReturnType<typeof useShopForm>;
function useShopForm(shop: Shop | undefined) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const form = useTextForm(`shop/${shop?.user_id ?? 'new'}`, valuesOf(shop));
  const user_type = form.values.user_type as Kind;
  const [add, adding] = useWrite('addUser', ['listUsers', 'getRetailerProfile']);
  const [update, updating] = useWrite('updateUser', [
    'listUsers',
    'getRetailerProfile',
    'getUserDetails',
    'getUserAccess',
  ]);
  const send = async () => {
    if (!form.has(NEEDED)) return;
    const { values } = form;
    const { mobile } = values;
    // Said only where it is another: whoever changes it logs the shop out everywhere.
    const isNew = shop === undefined || (shop.may.manage && mobile !== mobileDigits(shop.mobile));
    const { data, error } =
      shop === undefined
        ? await add({ body: { ...bodyOf(values), mobile, user_type } })
        : await update({ body: { ...bodyOf(values), ...(isNew && { mobile }), user_id: shop.user_id } });
    if (error) return form.refused(error);
    form.take();
    // Whoever adds a shop beside theirs does not see into it.
    const isBeside = shop === undefined && user_type === 'retailer';
    toast.ok(t(isBeside ? 'retailers.added_beside' : 'retailers.saved'));
    if (isBeside) return void navigate(paths.retailerList(), { replace: true });
    void navigate(paths.retailerProfile(data.user_id), { replace: true });
  };
  return { ...form, kind: user_type, send, isBusy: adding.isBusy || updating.isBusy };
}
