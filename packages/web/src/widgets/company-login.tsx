import { useEffect, useRef, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { errorText } from '#web/api/error-text.ts';
import { useSend } from '#web/api/use-send.ts';
import { Button } from '#web/ui/button.tsx';
import { Spinner } from '#web/ui/spinner.tsx';
import { useEnter } from './sign-in.ts';
import { useProblem } from './use-problem.ts';

/** What this tab keeps while its user is at the company's login page: nobody else's answer counts in it. */
const TICKET = 'company_login';

/** Goes to the company's own login page. */
export function CompanyLoginButton() {
  const { t } = useTranslation();
  const problem = useProblem();
  const [ask, { isBusy }] = useSend('getOauthUrl');
  const [isLeaving, setLeaving] = useState(false);
  const go = async () => {
    const { data, error } = await ask({});
    if (error) return problem(error);
    sessionStorage.setItem(TICKET, data.ticket);
    setLeaving(true);
    window.location.assign(data.url);
  };
  return (
    <Button tone="plain" block busy={isBusy || isLeaving} onClick={() => void go()}>
      {t('auth.company_login')}
    </Button>
  );
}

/** Back from there: hands on what stands in the address, once, and says what came of it. */
export function CompanyReturn({ onOther }: { onOther: () => void }) {
  const { t } = useTranslation();
  const enter = useEnter();
  const [finish] = useSend('oauthCallback');
  const [problem, setProblem] = useState<string>();
  const isSent = useRef(false);
  useEffect(() => {
    if (isSent.current) return;
    isSent.current = true;
    const handOn = async () => {
      const answer = takeAnswer();
      if (!answer) return setProblem(t('auth.company_cancelled'));
      const { data, error } = await finish({ query: answer });
      if (error) return setProblem(errorText(error, t));
      return enter(data.session, data.mobile);
    };
    void handOn();
  }, [enter, finish, t]);
  if (problem === undefined)
    return (
      <p role="status" className="flex min-h-12 items-center justify-center gap-3 text-ink-2">
        <Spinner size={20} />
        {t('auth.company_wait')}
      </p>
    );
  return (
    <>
      <p role="alert" className="text-over">
        {problem}
      </p>
      <CompanyLoginButton />
      <Button block onClick={onOther}>
        {t('auth.use_number')}
      </Button>
    </>
  );
}

/** Out of the address, where it is not to stay, with this tab's ticket. @returns undefined where the user gave up there, or never went from here */
function takeAnswer() {
  const { search, pathname } = window.location;
  const given = new URLSearchParams(search);
  window.history.replaceState(window.history.state, '', pathname);
  const ticket = sessionStorage.getItem(TICKET);
  sessionStorage.removeItem(TICKET);
  const [code, state, iss] = ['code', 'state', 'iss'].map((name) => given.get(name));
  if (!ticket || !code || !state) return undefined;
  return { code, state, ticket, ...(iss && { iss }) };
}
