/** `key` is a locale key; its English sentence is the specification's own. */
export type ImageErrorKey =
  | 'errors.image_canvas'
  | 'errors.image_blob'
  | 'errors.image_load'
  | 'errors.image_read'
  | 'errors.TOO_LARGE';
const MESSAGES: Record<ImageErrorKey, string> = {
  'errors.image_canvas': 'Canvas context is not supported',
  'errors.image_blob': 'Error creating blob',
  'errors.image_load': 'Error loading image',
  'errors.image_read': 'Error reading file',
  'errors.TOO_LARGE': 'File is larger than 5 MB',
};
/** What fills the sentences that have a blank: `LIMITS.uploadBytes`, whose table login would have to fetch. */
export const IMAGE_BOUNDS = { max: '5 MB' };

export class ImageError extends Error {
  readonly key: ImageErrorKey;
  constructor(key: ImageErrorKey) {
    super(MESSAGES[key]);
    this.name = 'ImageError';
    this.key = key;
  }
}
