import { configureStore, createListenerMiddleware, isAnyOf } from '@reduxjs/toolkit';
import { useDispatch, useSelector } from 'react-redux';
import { setupListeners } from '@reduxjs/toolkit/query/react';
import { api } from '#web/api/api.ts';
import { customerDetailsSlice } from './customer-details-slice.ts';
import { apiLoading, mainSlice, signedOut } from './main-slice.ts';
import { productSlice } from './product-slice.ts';
import { onSessionEnd } from './session.ts';

const { read, bring, write } = api.endpoints;
const isAsked = isAnyOf(read.matchPending, write.matchPending);
export const isAnswered = isAnyOf(read.matchFulfilled, bring.matchFulfilled, write.matchFulfilled);
export const isRefused = isAnyOf(read.matchRejected, bring.matchRejected, write.matchRejected);

const listeners = createListenerMiddleware();
/** Registers what follows from an action: in the same turn, after the action took effect. */
export const { startListening } = listeners;
startListening({ matcher: isAsked, effect: (_, { dispatch }) => void dispatch(apiLoading(true)) });
startListening({
  matcher: isAnyOf(isAnswered, isRefused),
  effect: (_, { dispatch }) => void dispatch(apiLoading(false)),
});

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
      defaults({ serializableCheck: false, immutableCheck: false }).concat(api.middleware, listeners.middleware),
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
