import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { birthday } from '#web/state/main-slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { useMe } from '#web/widgets/use-access.ts';

/** Congratulates once a visit, when the server says that it is the day. */
export function Birthday() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isToday = useAppSelector((state) => state.main.birthdayCelebration);
  const name = useMe().data?.first_name;
  useEffect(() => {
    if (!isToday || !name) return;
    toast.ok(t('shell.birthday', { name }), { isNews: true });
    dispatch(birthday(false));
  }, [isToday, name, t, dispatch]);
  return null;
}
