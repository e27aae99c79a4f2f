import { z } from 'zod';

/** Fields of the specification's customer form → the contract's own names. */
const FORM_NAMES = { firstName: 'first_name', lastName: 'last_name', email: 'email', mobile: 'mobile' } as const;

/** A body about one person whose name may be written with the form's names; they win. */
export const withPersonNames = <S extends z.ZodType>(schema: S): S =>
  z.preprocess((body) => {
    if (!isFields(body)) return body;
    const { form, rest } = takeForm(body);
    return { ...rest, ...form };
  }, schema) as unknown as S;

/** The same of a new shop. Whoever writes it in the form's names has none for the shop: it is called as its keeper until somebody names it. */
export const withNewShopNames = <S extends z.ZodType>(schema: S): S =>
  z.preprocess((body) => {
    if (!isFields(body)) return body;
    const { form, rest } = takeForm(body);
    const keeper = [form['first_name'], form['last_name']]
      .filter((name) => typeof name === 'string')
      .join(' ')
      .trim();
    return { ...(keeper && { shop_name: keeper }), ...rest, ...form };
  }, schema) as unknown as S;

type Fields = Record<string, unknown>;
const isFields = (value: unknown): value is Fields =>
  value !== null && typeof value === 'object' && !Array.isArray(value);

/** The form's fields in the contract's names, taken out of `given`. */
function takeForm(given: Fields): { form: Fields; rest: Fields } {
  const entries = Object.entries(given);
  const isForm = (name: string): name is keyof typeof FORM_NAMES => Object.hasOwn(FORM_NAMES, name);
  return {
    form: Object.fromEntries(entries.flatMap(([name, value]) => (isForm(name) ? [[FORM_NAMES[name], value]] : []))),
    rest: Object.fromEntries(entries.filter(([name]) => !isForm(name))),
  };
}

/**
 * A body whose `customer` may be written with the form's names too, there or beside it; they win over the contract's own.
 * @param schema of the body in the contract's names
 */
export const withFormNames = <S extends z.ZodType>(schema: S): S =>
  z.preprocess((body) => {
    if (!isFields(body)) return body;
    const { form: flat, rest } = takeForm(body);
    if (rest['customer'] !== undefined && !isFields(rest['customer'])) return body;
    const nested = isFields(rest['customer']) ? takeForm(rest['customer']) : undefined;
    const customer = { ...nested?.rest, ...nested?.form, ...flat };
    return Object.keys(customer).length > 0 || nested ? { ...rest, customer } : rest;
  }, schema) as unknown as S;
