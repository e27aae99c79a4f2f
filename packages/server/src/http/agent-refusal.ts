import { ERRORS, type KistError } from '@kist/contract/errors';

/** What a phone is told when it is refused: the code, which it knows, in place of a sentence. */
export function refusalBody({ code, options: { details, fields } }: Pick<KistError, 'code' | 'options'>): string {
  const errors = fields?.map(({ path, key }) => ({ path, message: key }));
  const refusal = {
    status: ERRORS[code].status,
    response: 'failure',
    message: code,
    code,
    ...(errors && { errors }),
    ...(details && { details }),
  };
  return JSON.stringify(refusal);
}
