import { KistError } from './errors.ts';
import { sizeText } from './sizes.ts';

/**
 * What came has more bytes than the bound that it was held against, which the answer names.
 * @param path of the field that they are of; undefined: of all that was sent
 */
export function tooLarge(maxBytes: number, path?: string): KistError {
  const max = sizeText(maxBytes);
  return new KistError('TOO_LARGE', {
    params: { max },
    details: { max, max_bytes: maxBytes },
    ...(path !== undefined && { fields: [{ path, key: 'field.too_large', params: { max } }] }),
  });
}
