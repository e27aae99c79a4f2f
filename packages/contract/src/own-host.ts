import { z } from 'zod';

const HOST_LENGTH = 253;
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
/** A name that ends in a number is an address to a browser, however it is written (`127.1`, `0x7f.1`). */
const TOP = /^[a-z][a-z0-9-]*[a-z0-9]$/;

/** @returns what keeps a name from being an organisation's own, as a sentence goes on after its place; undefined: nothing */
function problemOf(host: string): string | undefined {
  if (host !== host.toLowerCase()) return 'small letters alone, as browsers ask for it';
  if (/[:/@?#\\\s]/.test(host)) return 'a host name alone: without https://, port and path';
  if (host.endsWith('.')) return 'a host name without a dot at its end';
  if (host === 'localhost') return 'this machine is no organisation’s own; a name under it is (ravi.localhost)';
  const labels = host.split('.');
  if (labels.every((label) => /^(?:0x[0-9a-f]*|\d+)$/.test(label))) return 'a name, not the number of a machine';
  if (labels.length < 2) return 'a whole host name, with a dot in it (emi.example.in)';
  if (host.length > HOST_LENGTH || !labels.every((label) => LABEL.test(label)) || !TOP.test(labels.at(-1) ?? ''))
    return 'a host name as emi.example.in: small letters, digits, hyphens and dots';
  return undefined;
}

/** The host under which an organisation is served alone. What could never be one's own would be nobody's, or everybody's. */
export const ownHostSchema = z.string().superRefine((host, context) => {
  const message = problemOf(host);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
});

/**
 * Why an organisation may not have a host that by itself is in order.
 * @param publicHost of the installation: under it every organisation is asked for, by its short name or as the installation's own
 */
export const sharedHostProblem = (host: string, publicHost: string): string | undefined =>
  publicHost === host
    ? 'this is the installation’s own address (KIST_PUBLIC_URL), where the others are asked for too'
    : undefined;
