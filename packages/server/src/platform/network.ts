import { isIPv6 } from 'node:net';

/**
 * What one caller can hardly leave: an IPv4 address, or the /64 of an IPv6 address, which is the least that a provider hands out.
 * @param ip as the socket or a trusted proxy wrote it; IPv4 in IPv6 (`::ffff:10.0.0.1`) counts as IPv4
 */
export function networkOf(ip: string): string {
  if (!ip.includes(':')) return ip;
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip) ?? [];
  if (mapped) return mapped;
  const address = ip.split('%')[0] ?? '';
  if (!isIPv6(address)) return ip;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  // Groups left out by '::' count: with fewer than four in front, zeros stand among the first four.
  const groups = tail === undefined ? left : [...left, ...zeros(8 - left.length - groupsOf(tail)), ...tail.split(':')];
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group || '0', 16).toString(16))
    .join(':')}::/64`;
}

const zeros = (count: number): string[] => Array.from({ length: Math.max(0, count) }, () => '0');
/** An IPv4 address at the end stands for two groups. */
const groupsOf = (tail: string): number => {
  const groups = tail === '' ? [] : tail.split(':');
  return groups.length + (groups.at(-1)?.includes('.') ? 1 : 0);
};
