import type { DeviceItem, GuardBooks, GuardDevice, Item } from './books.ts';
import { UNDO_MS } from './protocol.ts';
import type { ItemCode, ItemResult, Named } from './protocol.ts';

const error = (code: ItemCode): ItemResult => ({ status: 'error', code });

const OK: ItemResult = { status: 'ok' };

/** Does what one item of a transaction asks, at the moment when its turn comes. @returns what the transaction tells of it */
export function carryOut(books: GuardBooks, tenant: string, item: Item, nowMs: number): ItemResult {
  if (!('device_id' in item)) {
    const isUpload = item.kind === 'upload';
    return { ...namesOf(item), ...(isUpload ? upload(books, tenant, item) : approve(books.newest(tenant, item))) };
  }
  const device = books.device(tenant, item.device_id);
  return { device_id: item.device_id, ...(device ? change(device, item, nowMs) : error('NOT_FOUND')) };
}

const namesOf = ({ imei, serial }: Named): Named => ({ ...(imei ? { imei } : {}), ...(serial ? { serial } : {}) });

/** The same phone again is the same record, until it was released for good. */
function upload(books: GuardBooks, tenant: string, item: Named): ItemResult {
  const taken = books.guarding(item);
  if (taken && taken.tenant !== tenant) return error('NOT_AVAILABLE');
  return { device_id: (taken ?? books.addDevice(tenant, item)).device_id, status: 'ok' };
}

function approve(device: GuardDevice | undefined): ItemResult {
  if (!device) return error('NOT_FOUND');
  const { device_id } = device;
  if (isReleased(device)) return { device_id, ...error('COMPLETED') };
  if (device.state === 'pending') device.state = 'approved';
  return { device_id, status: 'ok' };
}

const isReleased = ({ state }: GuardDevice): boolean => state === 'completed' || state === 'removed';

function change(device: GuardDevice, item: DeviceItem, nowMs: number): ItemResult {
  switch (item.kind) {
    case 'target':
      if (isReleased(device)) return error('COMPLETED');
      if (device.state !== 'enrolled') return error('NOT_ENROLLED');
      if (device.target && item.target.version <= device.target.version) return error('OLD_VERSION');
      device.target = item.target;
      device.reminder_at = null;
      return OK;
    case 'reminder':
      if (isReleased(device)) return error('COMPLETED');
      if (device.state !== 'enrolled') return error('NOT_ENROLLED');
      device.reminder_at = item.at;
      return OK;
    case 'complete':
      return complete(device, nowMs);
    case 'undo':
      return undo(device, nowMs);
  }
}
function complete(device: GuardDevice, nowMs: number): ItemResult {
  if (isReleased(device)) return OK;
  device.state_before = device.state;
  device.state = 'completed';
  device.completed_at = new Date(nowMs).toISOString();
  return OK;
}

/** Two days, and not once the phone itself was told: it is free for ever then. */
function undo(device: GuardDevice, nowMs: number): ItemResult {
  if (device.state === 'removed') return error('TOO_LATE');
  if (device.state !== 'completed') return error('NOT_COMPLETED');
  const isOver = nowMs - Date.parse(device.completed_at ?? '') > UNDO_MS;
  if (device.is_told || isOver) return error('TOO_LATE');
  device.state = device.state_before;
  device.completed_at = null;
  return OK;
}
