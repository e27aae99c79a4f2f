import { z } from 'zod';
import { NEEDS } from './access.ts';
import { PLAN_NAMES, PROVISIONING_NAMES, SHOP_TYPES } from './codes.ts';
import { endpoint } from './endpoint.ts';
import { appTypeIn, emptyIsNone, idNumberIn, idNumberSchema, lineTextSchema, numberInQuery } from './fields.ts';
import { LIMITS } from './limits.ts';
import { PATHS } from './paths.ts';

const OUTSIDE = { none: 'what everybody may know of the world' };
/** What changes once in years is kept by the browser for a day. */
const A_DAY_S = 86_400;

/** A plan of the organisation, whichever of the eleven types it is, on sale or not. */
const productSchema = z.object({
  /** The number by which customers and keys name it: `plan_id` and `product_id` are the same. */
  id: z.int(),
  plan_id: z.int(),
  name: z.string(),
  plan_type: z.int(),
  plan_type_name: z.enum(PLAN_NAMES),
  app_type: z.int().nullable(),
  /** How its phones are reached; null for what is sold beside a phone. */
  provisioning_type: z.int().nullable(),
  provisioning: z.enum(PROVISIONING_NAMES).nullable(),
  is_emi: z.boolean(),
  /** Whether it can be sold here now. */
  is_on_sale: z.boolean(),
  /** Of one key; null where the organisation has set none. */
  price_paise: z.int().nullable(),
});

const numberIn = emptyIsNone(numberInQuery(idNumberSchema));
const wordsIn = lineTextSchema(LIMITS.placeLength).optional();
/** By its code or its name, in any letters. */
const placeIn = lineTextSchema(LIMITS.placeLength);
const countryIn = placeIn.default('IN');

/** What an organisation sells, and what forms choose from. */
export const catalogueEndpoints = {
  getProducts: endpoint({
    ...PATHS.getProducts,
    summary: 'Every plan of the organisation, of all types, on sale or not.',
    auth: SHOP_TYPES,
    access: NEEDS.catalogue,
    query: z.strictObject({ app_type: appTypeIn, plan_id: numberIn, product_id: numberIn, search: wordsIn }),
    reply: z.array(productSchema),
  }),
  readPlanById: endpoint({
    ...PATHS.readPlanById,
    summary: 'One plan of the organisation by its number, with the keys left for it.',
    auth: SHOP_TYPES,
    access: NEEDS.catalogue,
    body: z.strictObject({ plan_id: idNumberIn }),
    reply: productSchema.extend({ keys_left: z.int() }),
    errors: ['NOT_FOUND'],
  }),
  getBrands: endpoint({
    ...PATHS.getBrands,
    summary:
      'Makers of phones: those that most sell, and those of the organisation’s table of models; of one the models that the table has.',
    auth: SHOP_TYPES,
    access: NEEDS.catalogue,
    query: z.strictObject({ brand: lineTextSchema(LIMITS.nameLength).optional(), search: wordsIn }),
    reply: z.array(z.object({ name: z.string(), models: z.array(z.string()) })),
  }),
  getCountries: endpoint({
    ...PATHS.getCountries,
    summary: 'Countries by their ISO 3166-1 code.',
    auth: 'public',
    access: OUTSIDE,
    cacheS: A_DAY_S,
    query: z.strictObject({ search: wordsIn }),
    reply: z.array(z.object({ code: z.string(), name: z.string() })),
  }),
  getStates: endpoint({
    ...PATHS.getStates,
    summary:
      'States of a country by the second part of their ISO 3166-2 code; India’s, where no country is named. A country is named by its code or its name.',
    auth: 'public',
    access: OUTSIDE,
    cacheS: A_DAY_S,
    query: z.strictObject({ country: countryIn, search: wordsIn }),
    reply: z.array(z.object({ code: z.string(), name: z.string() })),
    errors: ['NOT_FOUND'],
  }),
  getCities: endpoint({
    ...PATHS.getCities,
    summary:
      'Cities and districts of India with their PIN codes: of a state, or the one of a PIN code, of all India where neither is named. Of other countries none are known. Country and state are named by code or name.',
    auth: 'public',
    access: OUTSIDE,
    cacheS: A_DAY_S,
    query: z.strictObject({
      country: countryIn,
      state: placeIn.optional(),
      pincode: z
        .string()
        .regex(/^[1-9]\d{5}$/, 'field.pincode')
        .optional(),
      search: wordsIn,
    }),
    reply: z.array(z.object({ name: z.string(), state: z.string(), pincodes: z.array(z.string()) })),
    errors: ['NOT_FOUND'],
  }),
} as const;
