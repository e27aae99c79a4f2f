import { BlockList, isIPv4, isIPv6 } from 'node:net';

/**
 * What one caller can hardly leave: an IPv4 address, or the /64 of an IPv6 address, which is the least that a provider hands out.
 * @param ip as the socket or a trusted proxy wrote it; IPv4 in IPv6 (`::ffff:10.0.0.1`) counts as IPv4
 */
export function networkOf(ip: string): string {
  const groups = groupsOf(ip);
  return groups === undefined ? withoutPrefix(ip) : `${groups.slice(0, 4).join(':')}::/64`;
}

/** The most that one subscriber is given: the /48 of an IPv6 address, the /24 of an IPv4 address. Neighbours may share it. */
export function siteOf(ip: string): string {
  const groups = groupsOf(ip);
  if (groups !== undefined) return `${groups.slice(0, 3).join(':')}::/48`;
  const address = withoutPrefix(ip);
  return isIPv4(address) ? `${address.split('.').slice(0, 3).join('.')}.0/24` : address;
}

const withoutPrefix = (ip: string): string => /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1] ?? ip;

/** @returns the eight groups of an IPv6 address, in their shortest form; undefined of any other */
function groupsOf(ip: string): string[] | undefined {
  if (!ip.includes(':') || withoutPrefix(ip) !== ip) return undefined;
  const address = ip.split('%')[0] ?? '';
  if (!isIPv6(address)) return undefined;
  const [head = '', tail] = address.split('::');
  const left = head === '' ? [] : head.split(':');
  // Groups left out by '::' count: with fewer than four in front, zeros stand among the first four.
  const groups = tail === undefined ? left : [...left, ...zeros(8 - left.length - countOf(tail)), ...tail.split(':')];
  return groups.map((group) => Number.parseInt(group || '0', 16).toString(16));
}

const zeros = (count: number): string[] => Array.from({ length: Math.max(0, count) }, () => '0');
/** An IPv4 address at the end stands for two groups. */
const countOf = (tail: string): number => {
  const groups = tail === '' ? [] : tail.split(':');
  return groups.length + (groups.at(-1)?.includes('.') ? 1 : 0);
};

/** http to this machine itself: no proxy stands before it, and nobody elsewhere gets there by this address. */
export function isPlainLoopback(url: string): boolean {
  const { protocol, hostname } = new URL(url);
  return protocol === 'http:' && /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(hostname);
}

/** Networks that are nobody's on the Internet: this machine, its neighbours, the clouds' own services. */
const OWN_NETWORKS = new BlockList();
for (const [network, bits] of [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
] as const)
  OWN_NETWORKS.addSubnet(network, bits, 'ipv4');
for (const [network, bits] of [
  ['::', 127],
  ['fc00::', 7],
  ['fe80::', 10],
] as const)
  OWN_NETWORKS.addSubnet(network, bits, 'ipv6');

/** Whether an address names a machine of our own network by number, or this one by name. What a name stands for elsewhere is not asked. */
export function isOwnNetwork(url: string): boolean {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIPv4(host)) return OWN_NETWORKS.check(host, 'ipv4');
  // A number that is written as one of the other kind (::ffff:…) is looked at as what it is.
  if (isIPv6(host)) return OWN_NETWORKS.check(host, 'ipv6');
  return /^(localhost|.+\.localhost)$/.test(host);
}
