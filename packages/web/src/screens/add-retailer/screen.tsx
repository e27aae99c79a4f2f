import { useTranslation } from 'react-i18next';
import { useSearchParams } from 'react-router';
import { useRead } from '#web/api/use-call.ts';
import { paths } from '#web/paths.ts';
import { StateView } from '#web/ui/state-view.tsx';
import { QueryView } from '#web/widgets/query-view.tsx';
import { Screen as Frame } from '#web/widgets/screen.tsx';
import { useAccess } from '#web/widgets/use-access.ts';
import { ShopForm } from './form.tsx';

/** A new mini-retailer, or with `user_id` the details of a shop that is there. */
export function Screen() {
  const { t } = useTranslation();
  const [search] = useSearchParams();
  const userId = search.get('user_id') ?? undefined;
  const { me, can } = useAccess();
  // Without an id one's own: whether one may add shops beside it.
  const details = useRead('getUserDetails', { query: userId === undefined ? {} : { user_id: userId } });
  const mayAdd = userId !== undefined || me === undefined || can.addShops;
  return (
    <Frame
      title={t(userId === undefined ? 'retailers.add' : 'retailers.edit')}
      back={userId === undefined ? paths.retailerList() : paths.retailerProfile(userId)}
      wide
    >
      {!mayAdd && (
        <StateView kind="no_permission" title={t('states.no_permission_title')} body={t('states.no_permission_body')} />
      )}
      {mayAdd && (
        <QueryView result={details}>
          {(data) =>
            userId === undefined ? (
              <ShopForm key="new" shop={undefined} mayAddBeside={data.add_retailer === '1'} />
            ) : (
              <ShopForm key={data.user_id} shop={data} mayAddBeside={false} />
            )
          }
        </QueryView>
      )}
    </Frame>
  );
}
