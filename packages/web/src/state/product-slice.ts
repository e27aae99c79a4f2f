import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { CallReply } from '#web/api/calls.ts';
import { signedOut } from './main-slice.ts';

interface ProductState {
  list: { data: unknown[] };
  financer_list: CallReply<'financerList'>;
  antihacking_plans: { id: number; name: string; app_type: number | null }[];
  selectedProduct: { id: string | null; appType: string | null };
}

const initialState: ProductState = {
  list: { data: [] },
  financer_list: [],
  antihacking_plans: [],
  selectedProduct: { id: null, appType: null },
};

export const productSlice = createSlice({
  name: 'product',
  initialState,
  reducers: {
    productSelected: (state, { payload }: PayloadAction<ProductState['selectedProduct']>) =>
      void (state.selectedProduct = payload),
    financerList: (state, { payload }: PayloadAction<ProductState['financer_list']>) =>
      void (state.financer_list = payload),
  },
  extraReducers: (build) => void build.addCase(signedOut, () => initialState),
});
