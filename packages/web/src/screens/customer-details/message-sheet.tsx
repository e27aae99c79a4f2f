import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { CallReply } from '#web/api/calls.ts';
import { useRead } from '#web/api/use-call.ts';
import { LANGUAGE_NAMES } from '#web/i18n/language-names.ts';
import { tagOf } from '#web/i18n/languages.ts';
import { Button } from '#web/ui/button.tsx';
import { Sheet } from '#web/ui/sheet.tsx';
import { RadioRows } from '#web/ui/switch.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';

type Messages = CallReply<'getPhoneMessages'>;

/** What a shop may say on a customer's phone: one of a few messages, read beforehand in the customer's language. No shop writes words of its own there. */
export function MessageSheet(props: {
  customerId: string;
  busy: boolean;
  onClose: () => void;
  onSend: (message: string) => void;
}) {
  const { customerId, busy, onClose, onSend } = props;
  const { t } = useTranslation();
  const listed = useRead('getPhoneMessages', { query: { customer_id: customerId } });
  const [chosen, setChosen] = useState<string>();
  const name = chosen ?? listed.data?.messages[0]?.name;
  return (
    <Sheet
      open
      onClose={onClose}
      title={t('device.message')}
      footer={
        <Button icon="chat" busy={busy} disabled={name === undefined} onClick={() => name && onSend(name)}>
          {t('device.send')}
        </Button>
      }
    >
      <QueryView result={listed}>{(data) => <Choice listed={data} name={name} onChoose={setChosen} />}</QueryView>
    </Sheet>
  );
}

function Choice(props: { listed: Messages; name: string | undefined; onChoose: (name: string) => void }) {
  const {
    listed: { language, messages },
    name,
    onChoose,
  } = props;
  const { t } = useTranslation();
  const chosen = messages.find((message) => message.name === name);
  return (
    <div className="grid gap-4">
      <RadioRows
        label={t('device.message')}
        name="message"
        value={name}
        options={messages.map((message) => ({
          value: message.name,
          // What an organisation added has the name that it was given.
          label: t(`say.m_${message.name}`, { defaultValue: message.name.replaceAll('_', ' ') }),
          ...(message.own !== message.text && { detail: message.own }),
        }))}
        onChange={onChoose}
      />
      {chosen && (
        <section className="grid gap-2" aria-live="polite">
          <h3 className="text-sm font-semibold">{t('say.shown', { language: LANGUAGE_NAMES[language] })}</h3>
          <blockquote lang={tagOf(language)} className="rounded-lg border border-line bg-raise px-3 py-2.5 break-words">
            {chosen.text}
          </blockquote>
        </section>
      )}
    </div>
  );
}
