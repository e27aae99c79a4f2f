import { store } from '#web/state/storage.ts';

declare global {
  interface Window {
    /** The native shell's answer to `kist://device-details`: JSON text, or the object itself. */
    onDeviceDetails?: (json: unknown) => void;
  }
}

function keepDetails(json: unknown): void {
  const text = typeof json === 'string' ? json : JSON.stringify(json);
  try {
    const details = JSON.parse(text) as { platform?: string; os?: string } | null;
    if (typeof details !== 'object' || details === null) return;
    store('deviceDetails', text.slice(0, 2000));
    store('isAndroid', /android/i.test(`${details.platform ?? details.os ?? navigator.userAgent}`) ? 'true' : 'false');
  } catch {
    // A shell that answers nonsense is no shell: nothing waits for it.
  }
}

/** Android's WebView says '; wv)', an iOS web view lacks 'Safari'. */
const isInShell = (agent: string) => /; wv\)/.test(agent) || (/iPhone|iPad/.test(agent) && !agent.includes('Safari/'));

/** Asks the native shell for the device's details. The answer may come any time or never. */
export function askShell(
  agent = navigator.userAgent,
  open: (url: string) => void = (url) => window.location.assign(url),
): void {
  window.onDeviceDetails = keepDetails;
  // A plain browser has nobody behind the scheme and would only complain on the console.
  if (isInShell(agent)) open('kist://device-details');
}
