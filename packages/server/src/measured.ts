// What measuring and fault injection take from the server itself, so that what is measured is what runs: `@kist/server/measured`, for bench and sim alone.
export { schedule } from '#server/agreements/agreements.ts';
export { CHECKIN_SQL } from '#server/commands/checkin-sql.ts';
export { violations } from '#server/locking/invariants.ts';
export { startEmbedded } from '#server/platform/embedded/start.ts';
export { putGuardsAside } from '#server/platform/guards.ts';
export { runDay } from '#server/jobs/daily-run.ts';
export { checkWhole } from '#server/ledger/ledger.ts';
export { createLocking } from '#server/locking/locking.ts';
export { createNotices } from '#server/notices/notices.ts';
export { release } from '#server/customers/customers.ts';
export { createWaker } from '#server/commands/wake.ts';
export { bootDatabase } from '#server/platform/boot.ts';
export { createSealer } from '#server/platform/crypto.ts';
export { createLog } from '#server/platform/log.ts';
export { createPayments } from '#server/payments/payments.ts';
export { createPages, customerList, dashboard, totalOutstanding, upcoming } from '#server/reports/reports.ts';
export { openDatabase } from '#server/platform/database.ts';
export { credit as creditKeys } from '#server/wallet/wallet.ts';
