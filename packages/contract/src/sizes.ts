/** Bytes as people read them: '256 KB', '5 MB'. Apart from what is answered by them, so that the app need not have the errors of the server. */
export const sizeText = (bytes: number): string =>
  bytes % (1024 * 1024) === 0 ? `${bytes / (1024 * 1024)} MB` : `${Math.floor(bytes / 1024)} KB`;
