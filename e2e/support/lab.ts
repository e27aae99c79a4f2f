import { expect } from '@playwright/test';
import { demoCall } from './base-url.ts';

/** A simulated phone as the lab's control API shows it: the phone's own knowledge, nothing of the server's. */
export interface LabPhone {
  id: string;
  name: string;
  imei: string[];
  is_network_on: boolean;
  is_enrolled: boolean;
  wall_clock: string;
  managed: {
    device_id: string;
    trusted_time: string;
    revision: number;
    lock_level: number;
    reported_level: number;
    lease: { seq: number; valid_until: string; next: { kind: string; what: string; at: string } | null } | null;
    acks_waiting: number;
  } | null;
  screen: { kind: string; level: number; language: string; due: { amount_paise?: number } | null };
}

export const getPhone = (id: string): Promise<LabPhone> => demoCall('GET', `/lab/api/phones/${id}`);

/** A phone out of its box, on the wall. */
export const addPhone = (phone: { name: string; imei: string; qr?: string; agent?: 'LINKFL' }): Promise<LabPhone> =>
  demoCall('POST', '/lab/api/phones', phone);

/** Presses a switch of a phone; actions and bodies are those of the lab's page. */
export const press = async (id: string, action: string, body: Record<string, unknown> = {}): Promise<LabPhone> =>
  (await demoCall<{ phone: LabPhone }>('POST', `/lab/api/phones/${id}/${action}`, body)).phone;

/** The camera: a screenshot goes in, the text of its QR comes out. */
export async function readQr(baseUrl: string, picture: Buffer): Promise<string> {
  const response = await fetch(`${baseUrl}/lab/api/qr`, {
    method: 'POST',
    headers: { 'content-type': 'image/png' },
    body: new Uint8Array(picture),
  });
  if (!response.ok) throw new Error(`the camera sees no QR: ${response.status} ${await response.text()}`);
  return ((await response.json()) as { text: string }).text;
}

/** Waits until the phone itself holds exactly this level. */
export async function expectLevel(id: string, level: number, timeout = 10_000): Promise<void> {
  await expect
    .poll(async () => (await getPhone(id)).managed?.lock_level, { timeout, intervals: [100, 200, 400] })
    .toBe(level);
}
