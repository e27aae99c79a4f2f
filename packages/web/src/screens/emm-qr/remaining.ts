/** @returns what is left as 'h:mm:ss' or 'm:ss'; null when it is over. */
export function remaining(leftMs: number): string | null {
  if (leftMs <= 0) return null;
  const seconds = Math.ceil(leftMs / 1000);
  const two = (value: number) => String(value).padStart(2, '0');
  const hours = Math.floor(seconds / 3600);
  const minutes = Math.floor((seconds % 3600) / 60);
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
