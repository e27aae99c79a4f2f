import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { businessDate } from '@kist/contract/dates';
import { LIMITS } from '@kist/contract/limits';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { mobileDigits } from '#web/i18n/mobile.ts';
import { shopNowMs } from '#web/state/shop-clock.ts';
import { useLanguages } from '#web/theme/use-brand.ts';
import { digits, panLetters } from '#web/ui/clean-text.ts';
import { DateField } from '#web/ui/date-field.tsx';
import { SelectField } from '#web/ui/select-field.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { PLACE_LISTS, PlaceChoices } from '#web/widgets/place-choices.tsx';
import type { Customer, PersonField, TypedPerson } from './typed-person.ts';

export type Sentences = Partial<Record<PersonField, string>>;

const AADHAAR_DIGITS = 4;
const PINCODE_DIGITS = 6;
const EMAIL_LENGTH = 120;
interface Look {
  label: string;
  clean?: (text: string) => string;
  maxLength?: number;
  prefix?: string;
  hint?: string;
  inputMode?: 'numeric' | 'email';
  list?: string;
  autoCapitalize?: 'words' | 'characters';
}

interface Fields {
  /** What another number asks for, right below it. */
  ofNumber: ReactNode;
  customer: Customer;
  typed: TypedPerson;
  sentences: Sentences;
  onTyped: (part: Partial<TypedPerson>) => void;
}

/** Who it is, how they are reached, where they live, and the last digits of their papers. */
export const PersonFields = (fields: Fields) => (
  <div className="grid gap-4">
    <Reached {...fields} />
    <Home {...fields} />
    <Papers {...fields} />
  </div>
);

function Line({ name, fields, look }: { name: PersonField; fields: Fields; look: Look }) {
  const { typed, sentences, onTyped } = fields;
  const { clean, ...rest } = look;
  return (
    <TextField
      autoComplete="off"
      {...rest}
      name={name}
      value={typed[name]}
      error={sentences[name]}
      onChange={({ currentTarget: { value } }) => onTyped({ [name]: clean ? clean(value) : value })}
    />
  );
}

const NAME = { maxLength: LIMITS.nameLength, autoCapitalize: 'words' } as const;
const MOBILE = { prefix: '+91', inputMode: 'numeric', clean: mobileDigits } as const;

function Reached(fields: Fields) {
  const { typed, sentences, onTyped } = fields;
  const { t } = useTranslation();
  const languages = useLanguages(typed.language);
  return (
    <>
      <Line name="first_name" fields={fields} look={{ label: t('add.first_name'), ...NAME }} />
      <Line name="last_name" fields={fields} look={{ label: t('add.last_name'), ...NAME }} />
      <Line name="mobile" fields={fields} look={{ label: t('auth.mobile'), ...MOBILE }} />
      {fields.ofNumber}
      <Line name="alternate_mobile" fields={fields} look={{ label: t('customer.alternate'), ...MOBILE }} />
      <Line
        name="email"
        fields={fields}
        look={{ label: t('person.email'), inputMode: 'email', maxLength: EMAIL_LENGTH }}
      />
      <DateField
        label={t('customer.birth')}
        name="birth_on"
        autoComplete="off"
        max={businessDate(shopNowMs())}
        value={typed.birth_on}
        error={sentences.birth_on}
        onChange={(event) => onTyped({ birth_on: event.currentTarget.value })}
      />
      <SelectField
        label={t('add.language')}
        hint={t('add.language_hint')}
        name="language"
        value={typed.language}
        error={sentences.language}
        onChange={(event) => onTyped({ language: event.currentTarget.value })}
        options={languages.map((code) => ({ value: code, label: LANGUAGE_NAMES[code] }))}
      />
    </>
  );
}

const PINCODE = { inputMode: 'numeric', clean: digits(PINCODE_DIGITS) } as const;
const PLACE = { maxLength: LIMITS.placeLength };

function Home(fields: Fields) {
  const { t } = useTranslation();
  return (
    <>
      <Line name="line1" fields={fields} look={{ label: t('add.line1'), maxLength: LIMITS.addressLength }} />
      <Line name="pincode" fields={fields} look={{ label: t('add.pincode'), ...PINCODE }} />
      <Line name="city" fields={fields} look={{ label: t('add.city'), list: PLACE_LISTS.city, ...PLACE }} />
      <Line name="state" fields={fields} look={{ label: t('add.state'), list: PLACE_LISTS.state, ...PLACE }} />
      <PlaceChoices state={fields.typed.state} />
    </>
  );
}

const AADHAAR = { prefix: '•••• ••••', inputMode: 'numeric', clean: digits(AADHAAR_DIGITS) } as const;
const PAN = { clean: panLetters, autoCapitalize: 'characters' } as const;

/** Kept masked: what is there is told below the empty field. */
function Papers(fields: Fields) {
  const { t } = useTranslation();
  const { aadhaar_masked: aadhaar, pan_masked: pan } = fields.customer;
  return (
    <>
      <Line
        name="aadhaar_last4"
        fields={fields}
        look={{ label: t('add.aadhaar'), hint: aadhaar ?? t('add.aadhaar_hint'), ...AADHAAR }}
      />
      <Line name="pan" fields={fields} look={{ label: t('add.pan'), hint: pan ?? t('add.pan_hint'), ...PAN }} />
    </>
  );
}
