import { type ComponentProps, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import type { ApiError } from '#web/api/errors.ts';
import { useSend } from '#web/api/use-send.ts';
import { formatMobile, isMobile, mobileDigits } from '#web/i18n/mobile.ts';
import { paths } from '#web/paths.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Icon } from '#web/ui/icon.tsx';
import { TextArea, TextField } from '#web/ui/text-field.tsx';
import { OutsideFrame } from '#web/widgets/outside-frame.tsx';
import { useProblem } from '#web/widgets/use-problem.ts';

const NAMES = ['shop_name', 'first_name', 'last_name', 'mobile', 'city', 'pincode', 'note'] as const;
type Name = (typeof NAMES)[number];
type Values = Record<Name, string>;
const NOTHING: Values = {
  shop_name: '',
  first_name: '',
  last_name: '',
  mobile: '',
  city: '',
  pincode: '',
  note: '',
};

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

const placeOf = (path: string): Name | undefined => NAMES.find((name) => name === path.split('.').at(-1));
const missingOf = (values: Values): Name[] =>
  (['shop_name', 'first_name', 'mobile'] as const).filter((name) =>
    name === 'mobile' ? !isMobile(values.mobile) : values[name].trim() === '',
  );

type RequestForm = ReturnType<typeof useRequest>;
function useRequest(onSent: (mobile: string) => void) {
  const { t } = useTranslation();
  const problem = useProblem();
  const [values, setValues] = useState(NOTHING);
  const [wrong, setWrong] = useState<Partial<Values>>({});
  const [request, { isBusy }] = useSend('signupRequest');
  const refused = (error: ApiError) => {
    const places = error.fields.flatMap(({ path, message }) => {
      const place = placeOf(path);
      return place ? [[place, message] as const] : [];
    });
    setWrong(Object.fromEntries(places));
    if (places.length === 0) problem(error);
  };
  const send = async () => {
    const missing = missingOf(values);
    const says = (name: Name) => t(name === 'mobile' && values.mobile !== '' ? 'field.mobile' : 'field.required');
    if (missing.length > 0) return setWrong(Object.fromEntries(missing.map((name) => [name, says(name)])));
    const { error } = await request({ body: { ...values, mobile: `+91${values.mobile}` } });
    if (error) refused(error);
    else onSent(values.mobile);
  };
  const set = (name: Name, value: string) => {
    setValues((before) => ({ ...before, [name]: value }));
    setWrong((before) => ({ ...before, [name]: undefined }));
  };
  return { values, wrong, set, send, isBusy };
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
      <One form={form} name="shop_name" label={t('retailers.shop_name')} autoComplete="organization" {...words} />
      <One form={form} name="first_name" label={t('add.first_name')} autoComplete="given-name" {...words} />
      <One form={form} name="last_name" label={t('add.last_name')} {...last} {...words} />
      <One
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

const sixDigits = (text: string): string => text.replace(/\D/g, '').slice(0, 6);

function Where({ form }: { form: RequestForm }) {
  const { t } = useTranslation();
  const optional = t('common.optional');
  const place = { maxLength: LIMITS.placeLength, autoComplete: 'address-level2', optional } as const;
  const code = { inputMode: 'numeric', autoComplete: 'postal-code', optional, clean: sixDigits } as const;
  return (
    <>
      <One form={form} name="city" label={t('add.city')} {...place} />
      <One form={form} name="pincode" label={t('add.pincode')} {...code} />
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

function One(
  props: { form: RequestForm; name: Name; clean?: (text: string) => string } & Omit<
    ComponentProps<typeof TextField>,
    'form' | 'name' | 'value' | 'onChange' | 'error'
  >,
) {
  const { form, name, clean, ...look } = props;
  return (
    <TextField
      {...look}
      name={name}
      value={form.values[name]}
      error={form.wrong[name]}
      onChange={(event) => {
        const text = event.currentTarget.value;
        form.set(name, clean ? clean(text) : text);
      }}
    />
  );
}
