import { useTranslation } from 'react-i18next';
import { LIMITS } from '@kist/contract/limits';
import { Icon } from '#web/ui/icon.tsx';
import { Tabs } from '#web/ui/tabs.tsx';
import { TextField } from '#web/ui/text-field.tsx';
import type { Drawing } from './drawing.ts';
import type { SignMethod } from './signature-image.ts';
import { SignaturePad } from './signature-pad.tsx';

interface Capture {
  /** The witness’s; else the customer's. */
  isWitness?: boolean;
  method: SignMethod;
  onMethod: (method: SignMethod) => void;
  drawing: Drawing;
  isEmpty: boolean;
  onDrawn: (isEmpty: boolean) => void;
  onDone?: () => void;
  typedName: string;
  onTypedName: (name: string) => void;
  error?: string;
}

/** Sign by finger, or type the name: nobody is shut out by a drag. @param error sentence below the way that is chosen. */
export function SignatureCapture(props: Capture) {
  const { method, onMethod, drawing, isEmpty, onDrawn, onDone, typedName, onTypedName, error } = props;
  const { t } = useTranslation();
  return (
    <div className="grid gap-3">
      <Tabs
        label={t('signature.how')}
        tabs={[
          { id: 'signature', label: t('signature.draw') },
          { id: 'typed', label: t('signature.type') },
        ]}
        at={method}
        onChange={onMethod}
      >
        {method === 'signature' ? (
          <>
            <SignaturePad
              title={t(props.isWitness ? 'customer.witness' : 'signature.of_customer')}
              drawing={drawing}
              isEmpty={isEmpty}
              onChange={onDrawn}
              onDone={onDone}
            />
            {error && (
              <p role="alert" data-wrong tabIndex={-1} className="flex gap-1 pt-2 text-sm text-over">
                <Icon name="warning" size={16} className="mt-px" />
                {error}
              </p>
            )}
          </>
        ) : (
          <TextField
            label={t('signature.full_name')}
            hint={t('signature.type_hint')}
            error={error}
            name="typed_name"
            autoComplete="off"
            maxLength={LIMITS.nameLength}
            value={typedName}
            onChange={(event) => onTypedName(event.currentTarget.value)}
          />
        )}
      </Tabs>
    </div>
  );
}
