import { townsOfIndia } from './lib/towns.mjs';

// Prints what the server reads as packages/server/reference/towns-of-india.txt.
process.stdout.write(townsOfIndia());
