import '#web/ui/inside-icons.ts';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { useSend } from '#web/api/use-send.ts';
import { formatMobile, mobileDigits } from '#web/i18n/mobile.ts';
import { paths } from '#web/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { TextArea } from '#web/ui/text-field.tsx';
import { OutsideFrame } from '#web/widgets/outside-frame.tsx';
import { FormField, pincodeDigits, useTextForm } from '#web/widgets/text-form.tsx';

const NOTHING = { shop_name: '', first_name: '', last_name: '', mobile: '', city: '', pincode: '', note: '' };

/** Somebody without an account asks for one; the organisation decides. The answer does not tell whether the number is anybody's. */
export function Screen() {
  const { t } = useTranslation();
  const [sent, setSent] = useState<string>();
  return (
    <OutsideFrame title={t('signup.title')} detail={sent === undefined && t('signup.body')} back={paths.login()}>
      {sent === undefined ? <Form onSent={setSent} /> : <Sent mobile={sent} />}
    </OutsideFrame>
  );
}

function Sent({ mobile }: { mobile: string }) {
  const { t } = useTranslation();
  return (
    <div role="status" className="grid justify-items-start gap-4">
      <span className="grid size-12 place-items-center rounded-full bg-ok-soft text-ok">
        <Icon name="check" />
      </span>
      <p className="text-lg font-semibold">{t('signup.sent')}</p>
      <p className="text-ink-2">{t('signup.sent_body', { mobile: `+91 ${formatMobile(mobile)}` })}</p>
      <ButtonLink to={paths.login()} block>
        {t('signup.to_login')}
      </ButtonLink>
    </div>
  );
}

const NEEDED = ['shop_name', 'first_name', 'mobile'] as const;

type RequestForm = ReturnType<typeof useRequest>;
function useRequest(onSent: (mobile: string) => void) {
  const form = useTextForm('signup', NOTHING);
  const [request, { isBusy }] = useSend('signupRequest');
  const send = async () => {
    if (!form.has(NEEDED)) return;
    const { mobile } = form.values;
    const { error } = await request({ body: { ...form.values, mobile: `+91${mobile}` } });
    if (error) return form.refused(error);
    form.take();
    onSent(mobile);
  };
  return { ...form, send, isBusy };
}

function Form({ onSent }: { onSent: (mobile: string) => void }) {
  const { t } = useTranslation();
  const form = useRequest(onSent);
  return (
    <form
      noValidate
      className="grid gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        void form.send();
      }}
    >
      <Who form={form} />
      <Where form={form} />
      <Button type="submit" block busy={form.isBusy}>
        {t('signup.send')}
      </Button>
    </form>
  );
}

function Who({ form }: { form: RequestForm }) {
  const { t } = useTranslation();
  const words = { maxLength: LIMITS.nameLength, autoCapitalize: 'words' } as const;
  const last = { autoComplete: 'family-name', optional: t('common.optional') } as const;
  return (
    <>
      <FormField form={form} name="shop_name" label={t('retailers.shop_name')} autoComplete="organization" {...words} />
      <FormField form={form} name="first_name" label={t('add.first_name')} autoComplete="given-name" {...words} />
      <FormField form={form} name="last_name" label={t('add.last_name')} {...last} {...words} />
      <FormField
        form={form}
        name="mobile"
        label={t('auth.mobile')}
        hint={t('retailers.mobile_hint')}
        prefix="+91"
        type="tel"
        inputMode="numeric"
        autoComplete="tel-national"
        clean={mobileDigits}
      />
    </>
  );
}

function Where({ form }: { form: RequestForm }) {
  const { t } = useTranslation();
  const optional = t('common.optional');
  const place = { maxLength: LIMITS.placeLength, autoComplete: 'address-level2', optional } as const;
  const code = { inputMode: 'numeric', autoComplete: 'postal-code', optional, clean: pincodeDigits } as const;
  return (
    <>
      <FormField form={form} name="city" label={t('add.city')} {...place} />
      <FormField form={form} name="pincode" label={t('add.pincode')} {...code} />
      <TextArea
        label={t('signup.note')}
        optional={optional}
        name="note"
        value={form.values.note}
        error={form.wrong.note}
        maxLength={LIMITS.noteLength}
        onChange={(event) => form.set('note', event.currentTarget.value)}
      />
    </>
  );
}
