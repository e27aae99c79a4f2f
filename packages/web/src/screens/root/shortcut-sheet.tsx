import { useTranslation } from 'react-i18next';
import { Sheet } from '#web/ui/sheet.tsx';
import { turnShortcuts, useShortcutsOn } from '#web/ui/shortcuts.ts';
import { SwitchRow } from '#web/ui/switch.tsx';

/** Keys, and what each does. One of several is enough. */
const KEYS = [
  { keys: ['/', 'Ctrl K'], does: 'keyboard.search' },
  { keys: ['C'], does: 'keyboard.collect' },
  { keys: ['↑', '↓'], does: 'keyboard.move' },
  { keys: ['Enter'], does: 'keyboard.open' },
  { keys: ['Esc'], does: 'common.close' },
  { keys: ['?'], does: 'keyboard.help' },
] as const;

/** The keyboard's shortcuts, and whether single keys are any. */
export function ShortcutSheet({ open, onClose }: { open: boolean; onClose: () => void }) {
  const { t } = useTranslation();
  const isOn = useShortcutsOn();
  return (
    <Sheet open={open} onClose={onClose} title={t('keyboard.title')}>
      <dl className="divide-y divide-line">
        {KEYS.map(({ keys, does }) => (
          <div key={does} className="flex min-h-12 flex-row-reverse items-center justify-between gap-4 py-1.5">
            <dt className="flex shrink-0 gap-1.5">
              {keys.map((key) => (
                <kbd
                  key={key}
                  className="min-w-8 rounded-sm border border-edge bg-raise px-2 py-1 text-center font-sans text-sm font-semibold"
                >
                  {key}
                </kbd>
              ))}
            </dt>
            <dd>{t(does)}</dd>
          </div>
        ))}
      </dl>
      <div className="-mx-3.5">
        <SwitchRow
          label={t('keyboard.single')}
          detail={t('keyboard.single_hint')}
          checked={isOn}
          onChange={turnShortcuts}
        />
      </div>
    </Sheet>
  );
}
