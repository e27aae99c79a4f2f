import { expect, it } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import { sizeText } from '@kist/contract/sizes';
import { IMAGE_BOUNDS, ImageError } from './image-error.ts';

it('a picture that is too large is told the bound that the contract has', () => {
  expect(IMAGE_BOUNDS.max).toBe(sizeText(LIMITS.uploadBytes));
  expect(new ImageError('errors.TOO_LARGE').message).toBe(`File is larger than ${IMAGE_BOUNDS.max}`);
});
