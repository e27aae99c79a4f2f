/// <reference types="vite/client" />

/** When this build was made, ISO 8601; set by vite.config.ts. */
declare const __BUILT_AT__: string;

interface WindowEventMap {
  /** The router is on its way to another page (true), or there. */
  'app-leaving': CustomEvent<boolean>;
}
