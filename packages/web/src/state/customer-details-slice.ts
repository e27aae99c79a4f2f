import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import { signedOut } from './main-slice.ts';

interface CustomerDetailsState {
  /** Where the uninstall was asked from; 'Bypassed' when the phone would not say. */
  uninstall: { latitude: string; longitude: string };
  loading: boolean;
}

const initialState: CustomerDetailsState = { uninstall: { latitude: '', longitude: '' }, loading: false };

export const customerDetailsSlice = createSlice({
  name: 'customerDetails',
  initialState,
  reducers: {
    uninstallPlace: (state, { payload }: PayloadAction<CustomerDetailsState['uninstall']>) =>
      void (state.uninstall = payload),
    detailsLoading: (state, { payload }: PayloadAction<boolean>) => void (state.loading = payload),
  },
  extraReducers: (build) => void build.addCase(signedOut, () => initialState),
});
