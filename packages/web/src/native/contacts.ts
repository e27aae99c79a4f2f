/** One person of the phone's own address book. @see https://developer.mozilla.org/docs/Web/API/Contact_Picker_API */
interface Picker {
  select: (
    what: readonly ('name' | 'tel')[],
    options: { multiple: false },
  ) => Promise<readonly { name?: readonly string[]; tel?: readonly string[] }[]>;
}
const pickerOf = (): Picker | undefined => (navigator as Navigator & { contacts?: Picker }).contacts;

/** Chrome on Android offers it; a WebView and a desktop do not. */
export const mayPickContacts = (): boolean => typeof pickerOf()?.select === 'function';

/** The person chooses; the app sees nobody else. @returns undefined when they thought better of it, or the browser refused */
export async function pickContact(): Promise<{ firstName: string; lastName: string; mobile: string } | undefined> {
  try {
    const [chosen] = (await pickerOf()?.select(['name', 'tel'], { multiple: false })) ?? [];
    if (!chosen) return undefined;
    const [firstName = '', ...rest] = (chosen.name?.[0] ?? '').trim().split(/\s+/);
    return { firstName, lastName: rest.join(' '), mobile: chosen.tel?.[0] ?? '' };
  } catch {
    return undefined;
  }
}
