import { pathToFileURL } from 'node:url';
import { inRoot } from '#scripts/lib/root.mjs';

/** A statement, a phone or a check of the house itself, so that what is measured is what runs. Loaded by its path: only measuring reaches in here. */
export async function houseModule<Module>(...path: string[]): Promise<Module> {
  return (await import(pathToFileURL(inRoot('packages', ...path)).href)) as Module;
}
