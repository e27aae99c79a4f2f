import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import pg from 'pg';
import {
  bootDatabase,
  createLocking,
  createLog,
  createNotices,
  createPayments,
  createSealer,
  createWaker,
  release,
  uninstalled,
} from '@kist/server/measured';
import { inRoot } from '#scripts/lib/root.mjs';
import { socketOf } from './database.ts';
import { shopsId } from './plant-ids.ts';

/** The product's services on a database of their own, in this process: for what no request asks for. */
export interface House {
  dataDir: string;
  services: ReturnType<typeof servicesOf>;
  /** The owner of the tables, past row-level security. */
  owner: pg.Client;
}

/** Agreements of the planted book: a million, or what one asks for to have a quick look. */
export const BOOK = Number(process.env['KIST_BENCH_AGREEMENTS'] ?? 1_000_000);
/** A shop has a thousand. */
export const PER_SHOP = 1000;

/** Wired as `compose.ts` does it, as far as the day and the books need it. */
export function servicesOf(db: Awaited<ReturnType<typeof bootDatabase>>['database']) {
  const waker = createWaker(db, () => undefined);
  const sealer = createSealer({ current: 1, keys: new Map([[1, Buffer.alloc(32, 7)]]) });
  const notices: ReturnType<typeof createNotices> = createNotices({
    waker,
    sealer,
    links: { linkKey: Buffer.alloc(32, 7), publicUrl: 'https://kist.example.in' },
    onDelivered: (tx, agreementIds) => locking.noticesDelivered(tx, agreementIds),
  });
  const locking = createLocking({ waker, notices, onReleased: release, onGone: uninstalled });
  return { db, waker, notices, locking };
}

/** Opens an empty house for as long as `work` takes. */
export async function inHouse<T>(work: (house: House) => Promise<T>): Promise<T> {
  const dataDir = mkdtempSync(path.join(tmpdir(), 'kist-bench-'));
  const log = createLog('error');
  const booted = await bootDatabase({
    connection: undefined,
    ownerConnection: undefined,
    dataDir,
    migrationsDirectory: inRoot('packages', 'server', 'migrations'),
    mode: 'demo',
    demoSlug: 'demo',
    log,
  });
  const services = servicesOf(booted.database);
  const owner = new pg.Client(socketOf(dataDir));
  owner.on('error', () => undefined);
  await owner.connect();
  try {
    return await work({ dataDir, services, owner });
  } finally {
    await services.waker.close();
    await owner.end();
    await booted.stop();
    rmSync(dataDir, { recursive: true, force: true });
  }
}

/** Payments as a shop takes them, with what they free and what the customer is told. */
export const paymentsOf = ({ locking, notices }: Pick<House['services'], 'locking' | 'notices'>) =>
  createPayments({
    duesChanged: locking.duesChanged,
    claimed: locking.paymentClaimed,
    sendReceipt: notices.sendReceipt,
  });

/** The keeper of the n-th shop, who may do everything. */
export function shopActor(orgId: number, n: number): Parameters<ReturnType<typeof createPayments>['record']>[1] {
  const userId = shopsId(orgId, 'user', n);
  return {
    orgId,
    userId,
    userType: 'retailer',
    visibleOwnerIds: [userId],
    language: 'en',
    access: { feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1', bulk_retailer: '1' },
    lockAccess: { lock: '1', unlock: '1', read: '1', uninstall: '1' },
  };
}
