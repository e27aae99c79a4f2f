import type { IncomingMessage } from 'node:http';

/** Requests whose address was counted before the framework saw them. */
const counted = new WeakSet<IncomingMessage>();

export const markCounted = (request: IncomingMessage): void => void counted.add(request);
export const isCounted = (request: IncomingMessage): boolean => counted.has(request);
