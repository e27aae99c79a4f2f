import { useTranslation } from 'react-i18next';
import { LOCK_ACCESS_WORDS, USER_ACCESS_WORDS } from '@kist/contract/access';
import type { RetailerProfile } from '@kist/contract/people';
import { useWrite } from '#web/api/use-call.ts';
import { useAppSelector } from '#web/state/store.ts';
import { SectionTitle } from '#web/ui/card.tsx';
import { RowGroup } from '#web/ui/list-row.tsx';
import { SwitchRow } from '#web/ui/switch.tsx';
import { useMe } from '#web/widgets/use-access.ts';
import { useProblem } from '#web/widgets/use-problem.ts';
import { SHOP_READS } from './standing.tsx';

/** What the shop may do, word by word. Nobody gives a word that they have not. */
export function Access({ shop }: { shop: RetailerProfile }) {
  const { t } = useTranslation();
  const problem = useProblem();
  const { data: me } = useMe();
  const own = useAppSelector((state) => state.main.accessConfig);
  const [update, { isBusy }] = useWrite('updateUser', SHOP_READS);
  const set = async (part: 'access' | 'lock_access', word: string, isOn: boolean) => {
    const { error } = await update({ body: { user_id: shop.user_id, [part]: { [word]: isOn ? '1' : '0' } } });
    if (error) problem(error);
  };
  return (
    <>
      <SectionTitle>{t('retailers.access')}</SectionTitle>
      <RowGroup label={t('retailers.access')}>
        {USER_ACCESS_WORDS.map((word) => (
          <SwitchRow
            key={word}
            label={t(`retailers.word_${word}`)}
            checked={shop.user_access[word] === '1'}
            disabled={isBusy || (word !== 'bulk_retailer' && me?.[word] === '0')}
            onChange={(isOn) => void set('access', word, isOn)}
          />
        ))}
        {LOCK_ACCESS_WORDS.map((word) => (
          <SwitchRow
            key={word}
            label={t(`retailers.word_${word}`)}
            checked={shop.lock_access[word] === '1'}
            disabled={isBusy || own[word] === '0'}
            onChange={(isOn) => void set('lock_access', word, isOn)}
          />
        ))}
      </RowGroup>
    </>
  );
}
