/** Android's WebView has no Web Share: WhatsApp opens by its link, the dialler by `tel:`. */

/** @param mobile '+919876543210'; without one WhatsApp asks whom to send to. */
export function whatsAppUrl(text: string, mobile?: string): string {
  const digits = mobile?.replace(/\D/g, '') ?? '';
  return `https://wa.me/${digits}?text=${encodeURIComponent(text)}`;
}
export const telUrl = (mobile: string): string => `tel:${mobile.replace(/[^\d+]/g, '')}`;
export const mapsUrl = (latitude: number | string, longitude: number | string): string =>
  `https://www.google.com/maps/search/?api=1&query=${latitude},${longitude}`;

/** @returns whether the text is on the clipboard. */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/**
 * Hands a file to another app where the browser can, else saves it.
 * @returns what became of it; 'dropped': the person thought better of it.
 */
export async function shareFile(file: File): Promise<'shared' | 'saved' | 'dropped'> {
  if (navigator.canShare?.({ files: [file] })) {
    try {
      await navigator.share({ files: [file] });
      return 'shared';
    } catch (error) {
      if ((error as Error).name === 'AbortError') return 'dropped';
    }
  }
  const link = document.createElement('a');
  link.href = URL.createObjectURL(file);
  link.download = file.name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  return 'saved';
}
