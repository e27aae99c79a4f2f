/** Screens that say nothing without the server unless they were opened before, and that few open: they and what only they have come when they are gone to, and no first visit fetches them. */
const AWAY = [
  'retailer-list',
  'retailer-profile',
  'add-retailer',
  'collections',
  'customer-documents',
  'emi-details',
  'lock-rules',
  'm-pin',
  'otp',
  'privacy-policy',
  'sessions',
  'signature',
  'signup-request',
  'waiting',
  'witness-signature',
];
/** Parts of the same kind that come late by themselves: insides of sheets, and ways in that only the server can open. */
const AWAY_PARTS = [
  'screens/customer-details/override-asked.tsx',
  'screens/view-emi-details/reverse.tsx',
  'widgets/admin-home.tsx',
  'widgets/collect-consent.tsx',
  'widgets/person/person.tsx',
  'widgets/exchange/asked.tsx',
  'widgets/cancel/asked.tsx',
  'widgets/dispute-forms.tsx',
  'widgets/hold-forms.tsx',
  'widgets/lost-form.tsx',
  'widgets/theft-form.tsx',
  'widgets/company-login.tsx',
  'widgets/language-sheet.tsx',
  'widgets/passkey-ask.tsx',
  'widgets/passkey-button.tsx',
  'widgets/too-old.tsx',
  'native/passkey.ts',
  // The contract's: how names sound, for a search without a network.
  'search-words.ts',
];
/** @param id of a file of ours, as the build names it */
export const isAway = (id: string): boolean =>
  AWAY.some((screen) => id.endsWith(`/screens/${screen}/screen.tsx`)) ||
  AWAY_PARTS.some((part) => id.endsWith(`/src/${part}`));
