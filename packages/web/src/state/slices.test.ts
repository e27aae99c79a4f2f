// @vitest-environment jsdom
import { expect, it } from 'vitest';
import { customerDetailsSlice } from './customer-details-slice.ts';
import { productSlice } from './product-slice.ts';
import { endSession } from './session.ts';
import { makeStore } from './store.ts';

const START = {
  main: {
    apiLoading: false,
    drawerOpen: false,
    mainScreenTab: 'dashboard',
    birthdayCelebration: false,
    splashScreen: true,
    org_config: null,
    app_config: null,
    accessConfig: { lock: '1', unlock: '1', read: '1', uninstall: '1' },
  },
  product: {
    list: { data: [] },
    financer_list: [],
    antihacking_plans: [],
    selectedProduct: { id: null, appType: null },
  },
  customerDetails: { uninstall: { latitude: '', longitude: '' }, loading: false },
};

it("the client state has the specification's names, and starts with its values", () => {
  expect(makeStore().getState()).toMatchObject(START);
});
it('what was chosen and where somebody stood ends with the session', () => {
  const store = makeStore();
  store.dispatch(productSlice.actions.productSelected({ id: '7', appType: '2' }));
  store.dispatch(customerDetailsSlice.actions.uninstallPlace({ latitude: '19.9975', longitude: '73.7898' }));
  expect(store.getState().product.selectedProduct).toEqual({ id: '7', appType: '2' });
  expect(store.getState().customerDetails.uninstall.latitude).toBe('19.9975');
  endSession();
  expect(store.getState()).toMatchObject({ ...START, main: { ...START.main, splashScreen: false } });
});
