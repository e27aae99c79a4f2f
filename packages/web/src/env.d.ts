/// <reference types="vite/client" />

/** When this build was made, ISO 8601; set by vite.config.ts. */
declare const __BUILT_AT__: string;
/** The app's own version, from its package.json; set by vite.config.ts. */
declare const __APP_VERSION__: string;

interface WindowEventMap {
  /** The router is on its way to another page (true), or there. */
  'app-leaving': CustomEvent<boolean>;
}
