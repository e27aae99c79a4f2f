import { BEFORE_SIGN_IN, NAMES_NOTHING, NO_ORGANISATION, SHOPS, type Table, UNKNOWN_FIELD } from './case.ts';
import { browser } from './shops.ts';

const ANYBODY = { '403': 'whoever is signed in may ask it of themselves' };

/** Configuration, sign-in and sessions. */
export const signInCases: Pick<
  Table,
  | 'getOrgAppConfig'
  | 'getAppConfigs'
  | 'getAccessConfig'
  | 'getUserAccess'
  | 'loginWithOtp'
  | 'verifyOtpAuth'
  | 'resendOtp'
  | 'forgotPassword'
  | 'resetPassword'
  | 'sendOtpToUser'
  | 'setMpin'
  | 'logout'
  | 'mySessions'
  | 'logoutMySession'
> = {
  getOrgAppConfig: {
    who: 'everybody',
    right: () => ({}),
    wrong: UNKNOWN_FIELD,
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  getAppConfigs: {
    who: 'everybody',
    right: () => ({}),
    wrong: UNKNOWN_FIELD,
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  getAccessConfig: {
    who: 'signed in',
    right: () => ({}),
    wrong: UNKNOWN_FIELD,
    never: { ...ANYBODY, ...NAMES_NOTHING },
  },
  getUserAccess: {
    who: 'signed in',
    right: () => ({}),
    wrong: UNKNOWN_FIELD,
    never: { ...ANYBODY, ...NAMES_NOTHING },
  },
  loginWithOtp: {
    who: 'everybody',
    right: async ({ newUser }) => ({ body: { mobile: (await newUser()).mobile } }),
    wrong: { input: { rawBody: { mobile: '12345' } }, path: 'mobile' },
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  verifyOtpAuth: {
    who: 'everybody',
    right: async ({ http, newUser, code }) => {
      const user = await newUser();
      await http.call('loginWithOtp', { body: { mobile: user.mobile } });
      return { body: { mobile: user.mobile, otp: await code(user), purpose: 'LOGIN' } };
    },
    wrong: { input: { rawBody: { mobile: '9812345678', otp: '12', purpose: 'LOGIN' } }, path: 'otp' },
    alike: ['customer_id'],
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  resendOtp: {
    who: 'everybody',
    right: async ({ newUser }) => ({ body: { mobile: (await newUser()).mobile, purpose: 'LOGIN' } }),
    wrong: { input: { rawBody: { mobile: '9812345678', purpose: 'LUNCH' } }, path: 'purpose' },
    alike: ['customer_id'],
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  forgotPassword: {
    who: 'everybody',
    right: async ({ newUser }) => ({ body: { mobile: (await newUser()).mobile } }),
    wrong: { input: { rawBody: {} }, path: 'mobile' },
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  resetPassword: {
    who: 'everybody',
    right: async ({ http, newUser, code }) => {
      const user = await newUser();
      await http.call('forgotPassword', { body: { mobile: user.mobile } });
      const { data } = await http.call('verifyOtpAuth', {
        body: { mobile: user.mobile, otp: await code(user), purpose: 'FORGOT_PASSWORD' },
      });
      if (data.purpose !== 'FORGOT_PASSWORD') throw new Error('no reset token');
      return { body: { reset_token: data.reset_token, mpin: '8305' } };
    },
    wrong: { input: { rawBody: { reset_token: 'x', mpin: '12' } }, path: 'mpin' },
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  sendOtpToUser: {
    who: SHOPS,
    right: ({ own }) => ({ body: { purpose: 'BYPASS_CODE', customer_id: own.ids.customer_id } }),
    wrong: { input: { rawBody: { purpose: 'LOGIN' } }, path: 'purpose' },
    needs: 'unlock',
    theirs: ['customer_id'],
  },
  setMpin: {
    who: 'signed in',
    right: async ({ newUser, session }) => ({
      token: await session(await newUser()),
      body: { mpin: '8305', device_id: browser() },
    }),
    wrong: { input: { rawBody: { mpin: '830' } }, path: 'mpin' },
    never: ANYBODY,
  },
  logout: {
    who: 'signed in',
    right: async ({ session }) => ({ token: await session(), body: {} }),
    wrong: { input: { rawBody: { all: true } }, path: 'all' },
    never: ANYBODY,
  },
  mySessions: {
    who: 'signed in',
    right: () => ({}),
    wrong: UNKNOWN_FIELD,
    never: { ...ANYBODY, ...NAMES_NOTHING },
  },
  logoutMySession: {
    who: 'signed in',
    right: async ({ http, session }) => {
      const { data } = await http.call('mySessions', { token: await session() });
      return { body: { session_id: data.find(({ is_current }) => is_current)!.session_id } };
    },
    wrong: { input: { rawBody: { all_others: false } }, path: 'all_others' },
    theirs: ['session_id'],
    never: ANYBODY,
  },
};
