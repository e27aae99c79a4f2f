import type { Dispatch } from '@reduxjs/toolkit';
import type { OrgConfig } from '@kist/contract/organisation';
import { api } from '#web/api/api.ts';
import { speakOneOf } from '#web/i18n/i18n.ts';
import { whenIdle } from '#web/native/when-idle.ts';
import { applyBrand } from '#web/theme/theme.ts';
import { accessConfig, appConfig, birthday, orgConfig } from './main-slice.ts';
import { productSlice } from './product-slice.ts';
import { onSessionEnd } from './session.ts';
import { learnShopTime, onClockLeap } from './shop-clock.ts';
import { store } from './storage.ts';
import { appStore, isRefused, startListening } from './store.ts';
import { learnUserType } from './who-allows.ts';
import type { ApiError } from '#web/api/errors.ts';
import type { CallReply } from '#web/api/calls.ts';
import { PATHS, type CallName } from '@kist/contract/paths';

/** Answers that the client state keeps: organisation, limits, lock access, birthday, who lends. Wherever they are asked for, they land here. */
function keepConfig(name: CallName, payload: unknown, dispatch: Dispatch, isKept: boolean): void {
  switch (name) {
    case 'getOrgAppConfig': {
      const config = payload as OrgConfig;
      dispatch(orgConfig(config));
      void speakOneOf(config.languages);
      void applyBrand({
        name: config.aiName || config.orgName,
        accent: config.theme.accent,
        logo: config.theme.logo,
        languages: config.languages,
        layout: config.layout,
        isDemo: config.mode === 'demo',
        hasCompanyLogin: config.organisation_login,
      });
      break;
    }
    case 'getAppConfigs':
      dispatch(appConfig(payload as CallReply<'getAppConfigs'>));
      break;
    case 'getAccessConfig':
      dispatch(accessConfig(payload as CallReply<'getAccessConfig'>));
      break;
    case 'financerList':
      dispatch(productSlice.actions.financerList(payload as CallReply<'financerList'>));
      break;
    case 'getUserAccess': {
      const me = payload as CallReply<'getUserAccess'>;
      // Of what was kept the time is over.
      if (!isKept) learnShopTime(me.now);
      learnUserType(me.user_type);
      store('user_type', me.user_type);
      dispatch(birthday(me.is_birthday));
      break;
    }
    default:
  }
}

let isListening = false;
/** What answers bring with them is heard from here on. */
export function listenToAnswers(): void {
  if (isListening) return;
  isListening = true;
  startListening({
    matcher: api.endpoints.read.matchFulfilled,
    effect: ({ meta, payload }, { dispatch }) => {
      const isKept = (meta.baseQueryMeta as { instead?: unknown } | undefined)?.instead !== undefined;
      keepConfig(meta.arg.originalArgs.name, payload, dispatch, isKept);
    },
  });
  // An access word that was taken away meanwhile shows itself as a refusal; what it opened then goes from the screen.
  startListening({
    matcher: isRefused,
    effect: ({ payload }, { dispatch }) => {
      if ((payload as ApiError | undefined)?.code === 'FEATURE_NOT_ALLOWED')
        dispatch(api.util.invalidateTags(['getUserAccess', 'getAccessConfig']));
    },
  });
}

let isStarted = false;
/** Begins to listen, and asks for the organisation once the first screen stands. Nothing waits for the answers. */
export function startState(): void {
  if (isStarted) return;
  isStarted = true;
  listenToAnswers();
  // Of another day, all of it.
  onClockLeap(() => appStore.dispatch(api.util.invalidateTags(Object.keys(PATHS) as CallName[])));
  whenIdle(() => {
    askOrganisation();
    // How old an app may be concerns those too who cannot sign in.
    void appStore.dispatch(api.endpoints.read.initiate({ name: 'getAppConfigs', input: {} }, { subscribe: false }));
  });
  // A 511 took the brand along with everything else in local storage; login wants its name and colour back.
  onSessionEnd((why) => {
    learnUserType(undefined);
    if (why === 'lost') askOrganisation();
  });
}

function askOrganisation(): void {
  void appStore.dispatch(api.endpoints.read.initiate({ name: 'getOrgAppConfig', input: {} }, { forceRefetch: true }));
}
