import { stored } from '#web/state/storage.ts';

interface BrandData {
  brands?: { brand: string; version: string }[];
  platform?: string;
  mobile?: boolean;
}

/** Name and version from client hints where they are, else from the user agent. */
function browser(): { name: string; version: string } {
  const hints = (navigator as { userAgentData?: BrandData }).userAgentData;
  const hinted =
    hints?.brands?.find(({ brand }) => !/not.?a.?brand|chromium/i.test(brand)) ??
    hints?.brands?.find(({ brand }) => brand === 'Chromium');
  if (hinted) return { name: hinted.brand, version: hinted.version };
  const found = /(Firefox|Edg|OPR|SamsungBrowser|Chrome|Version)\/([\d.]+)/.exec(navigator.userAgent);
  return { name: found?.[1] === 'Version' ? 'Safari' : (found?.[1] ?? 'unknown'), version: found?.[2] ?? '0' };
}

function platform(): string {
  const hints = (navigator as { userAgentData?: BrandData }).userAgentData;
  if (hints?.platform) return hints.platform;
  return /Android|iPhone|iPad|Windows|Mac OS X|Linux/.exec(navigator.userAgent)?.[0] ?? 'unknown';
}

/** @returns what a user agent says of the device: 'Linux; Android 13; Redmi 13C'. */
const systemOf = (agent: string) => /\(([^)]*)\)/.exec(agent)?.[1] ?? agent;

/** @param details what `x-device-details` carried: the native shell's JSON, or a system's description. @returns a short name of the device. */
export function deviceName(details: string): string {
  try {
    const { brand = '', model = '' } = JSON.parse(details) as { brand?: string; model?: string };
    return `${brand} ${model}`.trim();
  } catch {
    const parts = systemOf(details)
      .split(';')
      .map((part) => part.trim());
    const model = parts[2]?.replace(/ Build\/.*/, '');
    // 'K' is what browsers put for a model that they do not tell.
    if (parts[1]?.startsWith('Android')) return model && model !== 'K' ? model : 'Android';
    return /iPhone|iPad|Macintosh|Windows|Linux|CrOS/.exec(details)?.[0] ?? details;
  }
}

/** Header values must be Latin-1; a phone may carry any name. */
const latin = (text: string) => text.replace(/[^\x20-\x7e]/g, '?').slice(0, 512);

/** The facts that every request carries (specification, section 7). */
function browserHeaders(): Record<string, string> {
  const { name, version } = browser();
  const isMobile =
    (navigator as { userAgentData?: BrandData }).userAgentData?.mobile ?? /Mobi|Android/i.test(navigator.userAgent);
  return {
    'x-auth-platform': 'mobile',
    'x-device-details': latin(stored('deviceDetails') || systemOf(navigator.userAgent)),
    'x-browser-name': latin(name),
    'x-browser-version': latin(version),
    'x-device-type': isMobile ? 'mobile' : 'desktop',
    'x-device-platform': latin(platform()),
  };
}

/** What every call carries beside its freshness, before the app's code has come as after it. @param tag of the language, as BCP 47 has it; @param token '' of who is not signed in */
export const callHeaders = (tag: string, token: string): Record<string, string> => ({
  ...browserHeaders(),
  'accept-language': tag,
  ...(token && { authorization: `bearer ${token}` }),
});
