/** @returns the file that a data URL of ours stands for */
export function fileOf(dataUrl: string): Blob {
  const [head = '', letters = ''] = dataUrl.split(',');
  const bytes = Uint8Array.from(atob(letters), (sign) => sign.charCodeAt(0));
  return new Blob([bytes], { type: /^data:([\w/]+)/.exec(head)?.[1] ?? 'image/jpeg' });
}
