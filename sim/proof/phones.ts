import { AGENT_PATHS, AGENT_PROTO, type EnrolRequest } from '@kist/contract/agent';
import { type PhoneKey, generateKey, signRequest } from '@kist/simulator/measured';
import type { Reply } from '#bench/lib/client.ts';
import type { House } from './house.ts';

/** A phone that reads its code. */
export interface Enrolling {
  code: string;
  imei: string;
  /** Its own, kept for asking again; a new one when left out. */
  key?: PhoneKey;
}

/** A phone enrols, as the agent's wire has it. Rejects when no whole answer came. */
export async function enrol(house: House, { code, imei, key = generateKey() }: Enrolling): Promise<Reply> {
  const request: EnrolRequest = {
    proto: AGENT_PROTO,
    token: code,
    public_key_spki: key.publicKeySpki,
    attestation: [],
    imei: [imei],
    serial: '',
    brand: 'Redmi',
    model: '13C',
    agent: 'DPC',
    agent_version: '1.0.0',
    boot_count: 1,
    elapsed_ms: 60_000,
  };
  const ask = (createdMs: number) => {
    const signed = signRequest(
      { keyid: code.slice(0, 16), key },
      'POST',
      AGENT_PATHS.enrol,
      JSON.stringify(request),
      createdMs,
    );
    const { path, headers, body } = signed;
    return house.connection.send({ method: 'POST', path, headers, body });
  };
  const first = await ask(Date.now());
  const stated = statedMs(first);
  return stated === undefined ? first : ask(stated);
}

/** The server's time, from a refusal of a phone whose clock is off. */
export function statedMs({ status, text }: Reply): number | undefined {
  if (status !== 400) return undefined;
  const { code, details } = JSON.parse(text) as { code?: string; details?: { server_time?: string } };
  return code === 'STALE_REQUEST' && details?.server_time ? Date.parse(details.server_time) : undefined;
}
