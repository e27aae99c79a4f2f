import path from 'node:path';

/** The repository's folder, wherever a script was started from. */
export const root = path.resolve(import.meta.dirname, '..', '..');

/**
 * @param {...string} parts
 * @returns {string} an absolute path inside the repository
 */
export const inRoot = (...parts) => path.join(root, ...parts);

/** Where reports, traces and build logs go; ignored by git. */
export const artifacts = inRoot('artifacts');
