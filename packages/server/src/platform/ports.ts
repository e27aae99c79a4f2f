/**
 * What a process brings along for its services: secrets, gateways, workers. Each slice that needs one declares it in its own file
 * (`declare module '#server/platform/ports.ts' { interface Ports { … } }`), and `compose.ts`, which makes them all, does not compile while one is missing.
 */
export interface Ports {}
