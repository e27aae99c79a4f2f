import { useTranslation } from 'react-i18next';
import { Icon } from '#web/ui/icon.tsx';
import { ListRow, RowIcon } from '#web/ui/list-row.tsx';

/** One step, done or open. @param props.isOpen undefined while nobody knows. @param props.to where it is done, for who may. */
export function StepRow(props: { title: string; isOpen: boolean | undefined; to: string | undefined }) {
  const { title, isOpen, to } = props;
  const { t } = useTranslation();
  return (
    <ListRow
      lead={<RowIcon icon={isOpen === false ? 'check' : 'clock'} tone={isOpen === false ? 'ok' : 'due'} />}
      title={title}
      detail={isOpen === undefined ? undefined : t(isOpen ? 'navigate.open' : 'navigate.done')}
      to={to}
      trail={to && <Icon name="next" size={18} />}
    />
  );
}
