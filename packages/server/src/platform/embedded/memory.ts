import { totalmem } from 'node:os';

const MIB = 2 ** 20;

/** Bytes that this process may use: in a container with a limit, that limit. */
export function usableMemory(): number {
  const limit = process.constrainedMemory();
  return limit > 0 ? Math.min(limit, totalmem()) : totalmem();
}

/**
 * An eighth of the memory for pages, half of it as what the planner may hope to find in memory: PostgreSQL's own 128 MB are too few for the books of a
 * thousand shops, and a page that is not among them costs a call of the system each time.
 * @param bytes of memory that the server may use
 */
export function memoryParameters(bytes: number): { shared_buffers: string; effective_cache_size: string } {
  const pages = Math.min(Math.max(Math.floor(bytes / 8 / MIB), 128), 8192);
  return { shared_buffers: `${pages}MB`, effective_cache_size: `${4 * pages}MB` };
}
