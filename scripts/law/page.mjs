import { CONTRACT, PACKAGES, ROOMS, SLICES, WINDOWS, door, isAllowed, openingsOf } from './law.mjs';

/** @typedef {import('./law.mjs').Room} Room */

/** Where in the law's own packages a room may have no business, by examples of which it may import none. */
const KINDS = {
  server: {
    platform: ['#server/platform/clock.ts'],
    'a slice': SLICES.map(door),
    'an inside of another': SLICES.map((slice) => `#server/${slice}/store.ts`),
    adapters: ['#server/commands/adapters/android-agent/android-agent.ts'],
    'another of http, jobs, demo, cli': ['http/app.ts', 'jobs/timers.ts', 'demo/demo.ts', 'cli/command.ts'].map(
      (file) => `#server/${file}`,
    ),
  },
  web: {
    ui: ['#web/ui/button.tsx'],
    widgets: ['#web/widgets/chip.tsx'],
    screens: ['#web/screens/otp/screen.tsx'],
    'api, offline, i18n, native, state, theme': ['#web/api/auth.ts', '#web/offline/drafts.ts', '#web/theme/theme.ts'],
    'routes.tsx, main.tsx': ['#web/routes.tsx', '#web/main.tsx'],
  },
};

/** @param {Room} room @returns {string} the folder it imports its own files from */
const ownOf = ({ folder, alias }) => folder.replace(`packages/${alias}/src/`, `#${alias}/`) + '/';

/** @param {Room} room */
const sliceOf = ({ name }) => SLICES.find((slice) => name === `slice ${slice}`);

/** @param {Room} room @returns {string} */
function mayOf(room) {
  const given = [...(room.contract === false ? [] : ['contract']), ...(room.entries ?? []).map((one) => `\`${one}\``)];
  if (room.alias === 'none') return given.join(', ');
  if (!room.may) return [...given, 'all of its package'].join(', ');
  const doors = new Set(SLICES.flatMap(openingsOf));
  const isOfMany = room.may.includes(door('reports'));
  const named = room.may
    .filter((one) => !(doors.has(one) && (isOfMany || sliceOf(room) !== undefined)))
    .map((one) => (one === ownOf(room) && room.alias === 'server' ? 'itself' : one.replace(/^#\w+\//, '')))
    .map((one) => (one.includes('.') ? `\`${one}\`` : one.replace(/\/$/, '')));
  if (isOfMany) named.push('the doors of all slices');
  else if (sliceOf(room)) named.push('the doors of the slices before it');
  return [...given, ...named].join(', ');
}

/** @param {Room} room @returns {string} of what in its own package it may import nothing but what is its own */
function neverOf(room) {
  const slice = sliceOf(room);
  const isRefused = (/** @type {string} */ place) => !isAllowed(room, place);
  const isOwn = (/** @type {string} */ place) => place.startsWith(ownOf(room));
  /** @type {Record<string, string[]>} */
  const kinds = room.alias === 'server' || room.alias === 'web' ? KINDS[room.alias] : {};
  const inside = Object.entries(kinds)
    .filter(([, places]) => places.some(isRefused) && places.every((place) => isRefused(place) || isOwn(place)))
    .map(([label, places]) => (places.some(isOwn) ? label : label.replace('another of ', '')));
  const isDownhill = slice && SLICES.slice(SLICES.indexOf(slice) + 1).every((other) => isRefused(door(other)));
  return [
    ...(room.contract === false ? ['contract'] : []),
    ...(isDownhill ? ['a later slice'] : []),
    ...inside.filter((label) => !(slice && label === 'a slice')),
  ].join(', ');
}

/** @returns {string[]} a line for each room, those that may and may not the same in one */
function rows() {
  /** @type {Map<string, Set<string>>} */
  const merged = new Map();
  for (const room of ROOMS) {
    const line = `${mayOf(room)} | ${neverOf(room)}`;
    merged.set(line, (merged.get(line) ?? new Set()).add(room.row ?? room.name));
  }
  return [...merged].map(([line, names]) => `| ${[...names].join(', ')} | ${line} |`);
}

/** @returns {string} the law as people read it: the part of AGENTS.md between its marks, every line from the table */
export function page() {
  const windows = Object.entries(WINDOWS).map(([slice, files]) => `${slice}: ${files.join(', ')}`);
  const contract = CONTRACT.may.filter((one) => !one.startsWith('.') && !one.endsWith('/'));
  return [
    '| from | may import | never |',
    '| --- | --- | --- |',
    `| contract | ${[...contract, 'itself'].join(', ')} | anything else, node and dom among it |`,
    ...rows(),
    '',
    `Of ${PACKAGES.join(', ')} none imports another but the contract, and nobody \`../\`, a barrel or a name that is computed.`,
    '',
    `The slices, each before those that may use it: ${SLICES.join(' → ')}.`,
    '',
    'A slice has one door, `<slice>/<slice>.ts`. Windows from before there were doors, which only become fewer:',
    ...windows.map((line) => `- ${line}`),
  ].join('\n');
}
