import { isApiError, toApiError, type ApiError } from './errors.ts';
import { serverConfig } from './server-config.ts';

/** Fetches what a signed link opens. Nobody keeps it: it is not put into any cache. @throws ApiError */
export async function linkedFile(url: string, signal?: AbortSignal): Promise<Blob> {
  const { baseUrl } = await serverConfig();
  const reply = await fetch((baseUrl || window.location.origin) + url, {
    cache: 'no-store',
    ...(signal && { signal }),
  }).catch((error: unknown): never => {
    if (signal?.aborted) throw error;
    throw toApiError('FETCH_ERROR', null);
  });
  // A link that is over is not a picture that is not there: another one is asked for.
  if (!reply.ok) throw toApiError(reply.status, null);
  return reply.blob();
}

export const asApiError = (error: unknown): ApiError => (isApiError(error) ? error : toApiError('FETCH_ERROR', null));
