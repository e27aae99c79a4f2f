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
  /** Of a district: every PIN code stands in the directory of post offices under its district, and under no town. */
  pincodes: readonly string[];
}
interface World {
  countries: readonly Named[];
  /** By the country's code. */
  states: ReadonlyMap<string, readonly Named[]>;
}

/** Countries and states of the world, and India's districts with their PIN codes, and towns. */
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

interface Sources {
  /** Folder of the directory of PIN codes, which the app reads too: `district;state;last four digits …` by first two digits. */
  pincodes: string;
  /** File of India's towns: `state;town;town …`. */
  towns: string;
}

/** Read when somebody first asks, and then remembered: some hundred kilobytes that never change while a process lives. */
export function createPlaces({ pincodes, towns }: Sources): Places {
  const world = once(readWorld);
  const cities = once(async () => {
    const states = (await world()).states.get(INDIA) ?? [];
    return together(await readDistricts(pincodes, states), await readTowns(towns, states));
  });
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

/** @throws Error when a file names a state that is none: it and the list of states have to be brought together then */
const codesOf =
  (states: readonly Named[]) =>
  (name: string, file: string): string => {
    const found = states.find((state) => state.name === name);
    if (!found) throw new Error(`${file}: no state is called ${name}`);
    return found.code;
  };

/** One name, however its words are put together: "Ahmed Nagar" is Ahmednagar. */
const sameName = ({ state, name }: Pick<City, 'state' | 'name'>): string =>
  `${state} ${name.toLowerCase().replaceAll(/[^a-z]/g, '')}`;

/** Districts as they are, since a form is filled by them, and the towns that are called otherwise, each once: of two spellings the one with fewer gaps. */
function together(districts: readonly City[], towns: readonly City[]): readonly City[] {
  const known = new Set(districts.map(sameName));
  const others = towns
    .toSorted((a, b) => a.name.length - b.name.length)
    .filter((town) => {
      const isNew = !known.has(sameName(town));
      known.add(sameName(town));
      return isNew;
    });
  return [...districts, ...others].toSorted((a, b) => byName(a, b) || (a.state < b.state ? -1 : 1));
}

/** @throws Error for a state that is none */
async function readTowns(file: string, states: readonly Named[]): Promise<readonly City[]> {
  const codeOfState = codesOf(states);
  const lines = (await readFile(file, 'utf8')).split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.flatMap((line) => {
    const [of = '', ...names] = line.split(';');
    const state = codeOfState(of, file);
    return names.map((name) => ({ name, state, pincodes: [] }));
  });
}

/** @throws Error for a state that is none */
async function readDistricts(folder: string, states: readonly Named[]): Promise<readonly City[]> {
  const codeOfState = codesOf(states);
  const cities = new Map<string, { name: string; state: string; pincodes: string[] }>();
  for (const file of (await readdir(folder)).filter((one) => one.endsWith('.txt')).toSorted()) {
    const begin = file.slice(0, 2);
    for (const line of (await readFile(path.join(folder, file), 'utf8')).split('\n').filter(Boolean)) {
      const [name = '', of = '', ends = ''] = line.split(';');
      const state = codeOfState(of, file);
      const key = `${state} ${name}`;
      const city = cities.get(key) ?? { name, state, pincodes: [] };
      city.pincodes.push(...ends.split(' ').map((end) => begin + end));
      cities.set(key, city);
    }
  }
  return [...cities.values()];
}
