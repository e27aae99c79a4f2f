// What measuring and fault injection take from the server itself, so that what is measured is what runs: `@kist/server/measured`, for bench and sim alone.
export { schedule } from '#server/agreements/agreements.ts';
export { CHECKIN_SQL } from '#server/devices/checkin-sql.ts';
export { violations } from '#server/locking/invariants.ts';
export { startEmbedded } from '#server/platform/embedded/start.ts';
export { putGuardsAside } from '#server/platform/guards.ts';
