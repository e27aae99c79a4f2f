/** First parts of addresses that belong to the server: proxied in development, never answered by the service worker's app shell. */
export const SERVER_PATHS = [
  'api',
  'country',
  'upload',
  'emm',
  'public',
  'files',
  'n',
  'agent',
  'mdm',
  'hooks',
  'demo',
  'lab',
  'healthz',
  'readyz',
  'metrics',
];

/** The same as the worker is told them: it holds each against path and query in one, `/lab?view=messages`. */
export const SERVER_NAVIGATIONS = SERVER_PATHS.map((name) => new RegExp(`^/${name}([/?]|$)`));

/** For the development server: whole parts of an address, as the worker has them. A name alone would take every address that only begins with it (`/n`: `/notices`). */
export const serverProxy = (target: string): Record<string, { target: string }> =>
  Object.fromEntries(SERVER_NAVIGATIONS.map(({ source }) => [source, { target }]));
