import { protocolFiles } from './lib/agent-protocol.mjs';

// Prints one of the files that stand in docs/ and are made from the contract: node scripts/agent-protocol.mjs docs/agent-vectors.json
const [, , file = ''] = process.argv;
process.stdout.write(protocolFiles()[file] ?? '');
