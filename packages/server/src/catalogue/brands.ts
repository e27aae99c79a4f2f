import { PHONE_BRANDS } from '@kist/contract/phone-brands';
import type { Tx } from '#server/platform/database.ts';
import * as store from './models-store.ts';

/** More than a select box can show; an operator's table may hold what nobody sells. */
const MOST = 500;

interface Brand {
  name: string;
  models: readonly string[];
}

/**
 * Makers of phones, those that most sell first, then those of the organisation's table; each once, however the table spells it.
 * @param asked.brand this one alone, with the models that the table has
 */
export async function brands(
  tx: Tx,
  { brand, search = '' }: { brand?: string | undefined; search?: string | undefined },
): Promise<Brand[]> {
  const inTable = (await store.brandsOfModels.all(tx, { most: MOST })).map((row) => row.brand);
  const spellings = new Map<string, string[]>();
  for (const name of [...PHONE_BRANDS, ...inTable]) {
    const same = spellings.get(name.toLowerCase());
    if (same) same.push(name);
    else spellings.set(name.toLowerCase(), [name]);
  }
  if (brand) {
    const names = spellings.get(brand.toLowerCase());
    if (!names) return [];
    const models = await store.modelsOfBrands.all(tx, { brands: names, words: search.toLowerCase(), most: MOST });
    return [{ name: names[0]!, models: models.map(({ model }) => model) }];
  }
  const found = [...spellings].filter(([lower]) => lower.includes(search.toLowerCase()));
  return found.map(([, [name = '']]) => ({ name, models: [] }));
}
