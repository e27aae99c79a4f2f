/** The short name of the demo's own organisation: an installation that holds no other is a demo. */
export const DEMO_SLUG = 'kist-demo';
