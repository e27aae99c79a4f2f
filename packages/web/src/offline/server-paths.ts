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
