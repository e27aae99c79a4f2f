import { createSlice, type PayloadAction } from '@reduxjs/toolkit';
import type { AccessConfig, OrgConfig } from '@kist/contract/organisation';
import type { CallReply } from '#web/api/calls.ts';

interface MainState {
  /** True when any request starts, false when it succeeds or fails (specification, section 4). */
  apiLoading: boolean;
  drawerOpen: boolean;
  mainScreenTab: string;
  birthdayCelebration: boolean;
  splashScreen: boolean;
  org_config: OrgConfig | null;
  app_config: CallReply<'getAppConfigs'> | null;
  accessConfig: AccessConfig;
}

const initialState: MainState = {
  apiLoading: false,
  drawerOpen: false,
  mainScreenTab: 'dashboard',
  birthdayCelebration: false,
  splashScreen: true,
  org_config: null,
  app_config: null,
  // Default lock access configuration (specification, section 6); the server's answer replaces it.
  accessConfig: { lock: '1', unlock: '1', read: '1', uninstall: '1' },
};

export const mainSlice = createSlice({
  name: 'main',
  initialState,
  reducers: {
    apiLoading: (state, { payload }: PayloadAction<boolean>) => void (state.apiLoading = payload),
    drawerOpened: (state, { payload }: PayloadAction<boolean>) => void (state.drawerOpen = payload),
    tabChosen: (state, { payload }: PayloadAction<string>) => void (state.mainScreenTab = payload),
    birthday: (state, { payload }: PayloadAction<boolean>) => void (state.birthdayCelebration = payload),
    splashDone: (state) => void (state.splashScreen = false),
    orgConfig: (state, { payload }: PayloadAction<OrgConfig>) => void (state.org_config = payload),
    appConfig: (state, { payload }: PayloadAction<CallReply<'getAppConfigs'>>) => void (state.app_config = payload),
    accessConfig: (state, { payload }: PayloadAction<AccessConfig>) => void (state.accessConfig = payload),
    /** Another user may sign in: only what belongs to the organisation stays. */
    signedOut: (state) => ({
      ...initialState,
      splashScreen: false,
      org_config: state.org_config,
      app_config: state.app_config,
    }),
  },
});

export const {
  apiLoading,
  drawerOpened,
  tabChosen,
  birthday,
  splashDone,
  orgConfig,
  appConfig,
  accessConfig,
  signedOut,
} = mainSlice.actions;
