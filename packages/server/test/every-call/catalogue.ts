import { BEFORE_SIGN_IN, NAMES_NOTHING, NO_ORGANISATION, SHOPS, type Table } from './case.ts';

/** What is sold, and what forms choose from. */
export const catalogueCases: Pick<
  Table,
  'getProducts' | 'readPlanById' | 'getBrands' | 'getCountries' | 'getStates' | 'getCities'
> = {
  getProducts: {
    who: SHOPS,
    right: () => ({ query: { app_type: '' as never } }),
    wrong: { input: { query: { plan_id: 'one' as never } }, path: 'plan_id' },
    never: NAMES_NOTHING,
  },
  readPlanById: {
    who: SHOPS,
    right: () => ({ body: { plan_id: 1 } }),
    wrong: { input: { rawBody: { plan_id: -1 } }, path: 'plan_id' },
    conflicts: [{ code: 'NOT_FOUND', input: () => ({ body: { plan_id: 999_999 } }) }],
  },
  getBrands: {
    who: SHOPS,
    right: () => ({ query: { brand: 'Redmi' } }),
    wrong: { input: { query: { maker: 'Redmi' } as never }, path: 'maker' },
    never: NAMES_NOTHING,
  },
  getCountries: {
    who: 'everybody',
    right: () => ({ query: { search: 'ind' } }),
    wrong: { input: { query: { continent: 'Asia' } as never }, path: 'continent' },
    conflicts: [NO_ORGANISATION],
    never: BEFORE_SIGN_IN,
  },
  getStates: {
    who: 'everybody',
    right: () => ({ query: { country: 'IN' } }),
    wrong: { input: { query: { country: 'x'.repeat(1000) } }, path: 'country' },
    conflicts: [NO_ORGANISATION, { code: 'NOT_FOUND', input: () => ({ query: { country: 'ZZ' } }) }],
    never: BEFORE_SIGN_IN,
  },
  getCities: {
    who: 'everybody',
    right: () => ({ query: { state: 'MH' } }),
    wrong: { input: { query: { pincode: '041100' } }, path: 'pincode' },
    conflicts: [NO_ORGANISATION, { code: 'NOT_FOUND', input: () => ({ query: { state: 'ZZ' } }) }],
    never: BEFORE_SIGN_IN,
  },
};
