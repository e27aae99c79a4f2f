import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { shopToday } from '#web/i18n/formats.ts';
import { birthday } from '#web/state/main-slice.ts';
import { useAppDispatch, useAppSelector } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { useMe } from '#web/widgets/use-access.ts';

/** The day on which somebody was congratulated here, and nobody's name; it goes with whoever logs out. */
const KEY = 'birthday';

/** Congratulates once a day, however often the page is loaded, when the server says that it is the day. */
export function Birthday() {
  const { t } = useTranslation();
  const dispatch = useAppDispatch();
  const isToday = useAppSelector((state) => state.main.birthdayCelebration);
  const name = useMe().data?.first_name;
  useEffect(() => {
    if (!isToday || !name) return;
    const today = shopToday();
    if (localStorage.getItem(KEY) !== today) toast.ok(t('shell.birthday', { name }), { isNews: true });
    localStorage.setItem(KEY, today);
    dispatch(birthday(false));
  }, [isToday, name, t, dispatch]);
  return null;
}
