import { readFile, readdir } from 'node:fs/promises';
import path from 'node:path';
import { KistError } from '@kist/contract/errors';

interface Named {
  code: string;
  name: string;
}
interface City {
  name: string;
  /** Its state's code. */
  state: string;
  pincodes: readonly string[];
}
interface World {
  countries: readonly Named[];
  /** By the country's code. */
  states: ReadonlyMap<string, readonly Named[]>;
}

/** Countries and states of the world, and India's cities with their PIN codes. */
interface Places {
  countries(asked: { search?: string | undefined }): Promise<readonly Named[]>;
  /** @throws KistError NOT_FOUND for a country that is none */
  states(asked: { country: string; search?: string | undefined }): Promise<readonly Named[]>;
  /** @throws KistError NOT_FOUND for a country or a state that is none */
  cities(asked: {
    country: string;
    state?: string | undefined;
    pincode?: string | undefined;
    search?: string | undefined;
  }): Promise<readonly City[]>;
}

declare module '#server/platform/ports.ts' {
  interface Ports {
    catalogue: { places: Places };
  }
}

const INDIA = 'IN';

/**
 * Read when somebody first asks, and then remembered: some hundred kilobytes that never change while a process lives.
 * @param pincodes folder of the directory of PIN codes, which the app reads too: `district;state;last four digits …` by first two digits
 */
export function createPlaces(pincodes: string): Places {
  const world = once(readWorld);
  const cities = once(async () => readCities(pincodes, (await world()).states.get(INDIA) ?? []));
  const countryOf = async (asked: string): Promise<{ country: string; states: readonly Named[] }> => {
    const { countries, states } = await world();
    const country = codeOf(countries, asked, 'no country of this code or name');
    return { country, states: states.get(country) ?? [] };
  };
  return {
    countries: async ({ search }) => named((await world()).countries, search),
    states: async ({ country, search }) => named((await countryOf(country)).states, search),
    async cities({ country: asked, state, pincode, search }) {
      const { country, states } = await countryOf(asked);
      const code = state === undefined ? undefined : codeOf(states, state, 'no state of this code or name');
      if (country !== INDIA) return [];
      const fits = (city: City) =>
        (code === undefined || city.state === code) && (pincode === undefined || city.pincodes.includes(pincode));
      return named((await cities()).filter(fits), search);
    },
  };
}

/** @param asked code or name, in any letters; a code comes first. @throws KistError NOT_FOUND */
function codeOf(all: readonly Named[], asked: string, internal: string): string {
  const [code, name] = [asked.toUpperCase(), asked.toLowerCase()];
  const found = all.find((one) => one.code === code) ?? all.find((one) => one.name.toLowerCase() === name);
  if (!found) throw new KistError('NOT_FOUND', { internal });
  return found.code;
}

/** A failed read is nobody's answer: it is tried again. */
function once<T>(read: () => Promise<T>): () => Promise<T> {
  let kept: Promise<T> | undefined;
  return () => {
    kept ??= read().catch((error: unknown) => {
      kept = undefined;
      throw error;
    });
    return kept;
  };
}

const named = <T extends { name: string }>(all: readonly T[], search = ''): readonly T[] => {
  const words = search.toLowerCase();
  return words === '' ? all : all.filter(({ name }) => name.toLowerCase().includes(words));
};

const byName = (a: { name: string }, b: { name: string }): number => (a.name < b.name ? -1 : 1);

async function readWorld(): Promise<World> {
  const { allCountries } = await import('country-region-data');
  return {
    countries: allCountries.map(([name, code]) => ({ code, name })),
    states: new Map(
      allCountries.map(([, code, regions]): [string, readonly Named[]] => [
        code,
        // A few islands' regions have no code of their own.
        regions.flatMap(([name, state]) => (state ? [{ code: state, name }] : [])).toSorted(byName),
      ]),
    ),
  };
}

/** @throws Error when the directory names a state that is none: it and the list of states have to be brought together then */
async function readCities(folder: string, states: readonly Named[]): Promise<readonly City[]> {
  const codes = new Map(states.map(({ code, name }) => [name, code]));
  const cities = new Map<string, { name: string; state: string; pincodes: string[] }>();
  for (const file of (await readdir(folder)).filter((one) => one.endsWith('.txt')).toSorted()) {
    const begin = file.slice(0, 2);
    for (const line of (await readFile(path.join(folder, file), 'utf8')).split('\n').filter(Boolean)) {
      const [name = '', of = '', ends = ''] = line.split(';');
      const state = codes.get(of);
      if (state === undefined) throw new Error(`${file}: no state is called ${of}`);
      const key = `${state} ${name}`;
      const city = cities.get(key) ?? { name, state, pincodes: [] };
      city.pincodes.push(...ends.split(' ').map((end) => begin + end));
      cities.set(key, city);
    }
  }
  return [...cities.values()].toSorted((a, b) => byName(a, b) || (a.state < b.state ? -1 : 1));
}
