/** @returns the parts of '1.20.3' as numbers; what is not written counts as 0 */
const partsOf = (version: string): number[] => version.split('.').map((part) => Number.parseInt(part, 10) || 0);

/**
 * Whether an app is older than the oldest that a server speaks with (app_configs, `min_app_version`). A server that names none turns nobody away.
 * @example isOlderThan('0.9.0', '0.10.0') // true
 */
export function isOlderThan(version: string, least: string): boolean {
  const [own, wanted] = [partsOf(version), partsOf(least)];
  const at = wanted.findIndex((part, place) => part !== (own[place] ?? 0));
  return at >= 0 && (own[at] ?? 0) < wanted[at]!;
}
