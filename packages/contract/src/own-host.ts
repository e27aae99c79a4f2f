import { z } from 'zod';

const HOST_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A name that ends in a number is an address to a browser, however it is written (`127.1`, `0x7f.1`). */
const TOP = /^[a-z][a-z0-9-]*[a-z0-9]$/;

/** @returns what keeps a name from being an organisation's own, as a locale key whose words go on after its place; undefined: nothing */
function problemOf(host: string): string | undefined {
  if (host !== host.toLowerCase()) return 'host.small';
  if (/[:/@?#\\\s]/.test(host)) return 'host.alone';
  if (host.endsWith('.')) return 'host.dot';
  if (host === 'localhost') return 'host.machine';
  const labels = host.split('.');
  if (labels.every((label) => /^(?:0x[0-9a-f]*|\d+)$/.test(label))) return 'host.number';
  if (labels.length < 2) return 'host.whole';
  if (host.length > HOST_LENGTH || !labels.every((label) => LABEL.test(label)) || !TOP.test(labels.at(-1) ?? ''))
    return 'host.shape';
  return undefined;
}

/** The host under which an organisation is served alone. What could never be one's own would be nobody's, or everybody's. */
export const ownHostSchema = z.string().superRefine((host, context) => {
  const message = problemOf(host);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/**
 * Why an organisation may not have a host that by itself is in order, as a locale key.
 * @param publicHost of the installation: under it every organisation is asked for, by its short name or as the installation's own
 */
export const sharedHostProblem = (host: string, publicHost: string): string | undefined =>
  publicHost === host ? 'host.shared' : undefined;
