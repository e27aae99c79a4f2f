import { configureStore, isAnyOf, type Middleware } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { setupListeners } from '@reduxjs/toolkit/query/react';
import { api } from '#web/api/api.ts';
import { customerDetailsSlice } from './customer-details-slice.ts';
import { apiLoading, mainSlice, signedOut } from './main-slice.ts';
import { productSlice } from './product-slice.ts';
import { onSessionEnd } from './session.ts';

const { read, write } = api.endpoints;
const starts = isAnyOf(read.matchPending, write.matchPending);
const ends = isAnyOf(read.matchFulfilled, read.matchRejected, write.matchFulfilled, write.matchRejected);

const ears = new Set<(action: unknown) => void>();
/** Hears every action after it took effect. */
export const onAction = (ear: (action: unknown) => void): void => void ears.add(ear);

const hear: Middleware = (store) => (next) => (action) => {
  const result = next(action);
  if (starts(action)) store.dispatch(apiLoading(true));
  else if (ends(action)) store.dispatch(apiLoading(false));
  for (const ear of ears) ear(action);
  return result;
};

/** A fresh store; the app has one, each test its own. */
export function makeStore() {
  const made = configureStore({
    reducer: {
      main: mainSlice.reducer,
      product: productSlice.reducer,
      customerDetails: customerDetailsSlice.reducer,
      [api.reducerPath]: api.reducer,
    },
    middleware: (defaults) =>
      defaults({ serializableCheck: false, immutableCheck: false }).concat(api.middleware, hear),
  });
  onSessionEnd(() => {
    made.dispatch(signedOut());
    made.dispatch(api.util.resetApiState());
  });
  setupListeners(made.dispatch);
  return made;
}

export const appStore = makeStore();
export type RootState = ReturnType<typeof appStore.getState>;
export const useAppSelector = useSelector.withTypes<RootState>();
export const useAppDispatch = useDispatch.withTypes<typeof appStore.dispatch>();
