import {
  lazy,
  Suspense,
  useEffect,
  useLayoutEffect,
  useRef,
  useState,
  useSyncExternalStore,
  type FormEvent,
  type ReactNode,
} from 'react';
import { useTranslation } from 'react-i18next';
import { Navigate } from 'react-router';
import { useSend } from '#web/api/use-send.ts';
import { formatMobile } from '#web/i18n/mobile.ts';
import { paths } from '#web/paths.ts';
import { hasPasskey } from '#web/state/passkey.ts';
import { deviceId, hasSession } from '#web/state/session.ts';
import { stored } from '#web/state/storage.ts';
import { useBrand } from '#web/theme/use-brand.ts';
import { Button, ButtonLink } from '#web/ui/button.tsx';
import { Link } from '#web/ui/link.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import { DemoOtp } from '#web/widgets/demo-otp.tsx';
import { OutsideFrame } from '#web/widgets/outside-frame.tsx';
import { isMobile, mobileDigits } from '#web/i18n/mobile.ts';
import { useEnter, useToCode } from '#web/widgets/sign-in.ts';
import { useFieldProblem, useProblem } from '#web/widgets/use-problem.ts';
import { followFront } from './begun.ts';

/** Of those who have one; a first visit does not wait for it. */
const PasskeyButton = lazy(async () => ({ default: (await import('#web/widgets/passkey-button.tsx')).PasskeyButton }));

/** Where the company has a login of its own; nobody else's first visit brings them. */
const CompanyLoginButton = lazy(async () => ({
  default: (await import('#web/widgets/company-login.tsx')).CompanyLoginButton,
}));
const CompanyReturn = lazy(async () => ({ default: (await import('#web/widgets/company-login.tsx')).CompanyReturn }));

/** Whether the company's login page sent the browser back here. */
const isBackFromCompany = (): boolean => new URLSearchParams(window.location.search).has('state');

/** Mobile number → code; or straight to the M-PIN on a device that was verified before. */
export function Screen() {
  const { t } = useTranslation();
  const [isOther, setOther] = useState(false);
  const [isBack, setBack] = useState(isBackFromCompany);
  const problem = useProblem();
  if (hasSession()) return <Navigate to={paths.dashboard()} replace />;
  const known = stored('mpin') && stored('phone');
  return (
    <OutsideFrame title={t('auth.welcome')} isFront>
      {isBack ? (
        <Suspense fallback={<span className="block h-12" />}>
          <CompanyReturn onOther={() => setBack(false)} />
        </Suspense>
      ) : known && !isOther ? (
        <>
          <p className="text-xl font-semibold">+91 {formatMobile(known)}</p>
          {hasPasskey() && (
            <Suspense fallback={<span className="block h-12" />}>
              <PasskeyButton mobile={known} onProblem={problem} />
            </Suspense>
          )}
          <ButtonLink to={paths.mPin()} tone={hasPasskey() ? 'plain' : 'accent'} block>
            {t('auth.continue_mpin')}
          </ButtonLink>
          <Button tone="plain" block onClick={() => setOther(true)}>
            {t('auth.other_number')}
          </Button>
          <CompanyLogin />
          <Privacy />
        </>
      ) : (
        <MobileForm />
      )}
    </OutsideFrame>
  );
}

/** Two lines: nothing moves when the server says that this is a demo shop. */
function UnderForm() {
  const { t } = useTranslation();
  const isDemo = useBrand()?.isDemo;
  return (
    <p className="min-h-9 text-center text-sm text-ink-2">
      {isDemo && `${t('auth.demo')} `}
      <DemoOtp />
    </p>
  );
}

function CompanyLogin() {
  if (!useBrand()?.hasCompanyLogin) return null;
  return (
    <Suspense fallback={<span className="block h-12" />}>
      <CompanyLoginButton />
    </Suspense>
  );
}

/** What is kept of whoever logs in, before they do. */
function Privacy() {
  const { t } = useTranslation();
  return <Aside to={paths.privacyPolicy()}>{t('shell.privacy')}</Aside>;
}

const Aside = (props: { to: string; children: ReactNode }) => (
  <Link to={props.to} className="grid min-h-12 place-content-center text-sm font-semibold text-accent-text">
    {props.children}
  </Link>
);

/** Nobody types in index.html's form once it is taken away; until then each drawing looks again. */
const unheard = () => () => undefined;

/** Goes on where the number was typed before the app had come. @returns that number's digits, whether they are to be sent, and where the form and its field are put. */
function useBegun() {
  const [front] = useState(followFront);
  const typed = useSyncExternalStore(unheard, () => front?.().typed ?? '');
  const isSent = useSyncExternalStore(unheard, () => front?.().isSent ?? false);
  const form = useRef<HTMLFormElement>(null);
  const field = useRef<HTMLInputElement>(null);
  // In the commit that takes index.html's form away: the keyboard of the phone stays open and no digit is lost.
  useLayoutEffect(() => {
    const stood = front?.();
    if (!stood?.hasFocus) return;
    field.current?.focus();
    field.current?.setSelectionRange(...stood.marked);
  }, [front]);
  useEffect(() => {
    if (isSent) form.current?.requestSubmit();
  }, [isSent]);
  return { begun: mobileDigits(typed), form, field };
}

function MobileForm() {
  const { t } = useTranslation();
  const enter = useEnter();
  const toCode = useToCode();
  const { begun, form, field } = useBegun();
  const [mobile = begun, setMobile] = useState<string>();
  const [error, setError] = useState<string>();
  const problem = useFieldProblem(setError);
  const [login, { isBusy }] = useSend('loginWithOtp');
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (!isMobile(mobile)) return setError(t(mobile ? 'field.mobile' : 'field.required'));
    setError(undefined);
    const { data, error: refusal } = await login({ body: { mobile: `+91${mobile}`, device_id: deviceId() } });
    if (refusal?.code === 'OTP_TOO_SOON') return toCode(`+91${mobile}`, 'LOGIN', refusal.retryAfterS);
    if (refusal) return problem(refusal);
    if (data.step === 'session') return enter(data.session, `+91${mobile}`);
    return toCode(`+91${mobile}`, 'LOGIN', data.resend_after_s);
  };
  return (
    <form ref={form} className="grid gap-4" noValidate onSubmit={(event) => void submit(event)}>
      <TextField
        ref={field}
        label={t('auth.mobile')}
        hint={t('auth.mobile_hint')}
        error={error}
        prefix="+91"
        type="tel"
        inputMode="numeric"
        name="mobile"
        autoComplete="tel-national"
        value={mobile}
        onChange={(event) => {
          setMobile(mobileDigits(event.currentTarget.value));
          setError(undefined);
        }}
      />
      <Button type="submit" block busy={isBusy}>
        {t('auth.send_code')}
      </Button>
      <CompanyLogin />
      <UnderForm />
      <Aside to={paths.signupRequest()}>{t('auth.request_account')}</Aside>
      <Privacy />
    </form>
  );
}
