/** Markup that was made here and may stand as it is. */
export class Html {
  readonly text: string;
  constructor(text: string) {
    this.text = text;
  }
}

type Part = Html | string | number | null | undefined | false | readonly Part[];

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => ESCAPES[char]!);

function textOf(part: Part): string {
  if (part instanceof Html) return part.text;
  if (Array.isArray(part)) return (part as readonly Part[]).map(textOf).join('');
  if (part === null || part === undefined || part === false) return '';
  return escapeHtml(String(part as string | number));
}

/** Every value is escaped unless it is Html itself; lists are joined, null and false are nothing. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  new Html(strings.reduce((text, string, index) => text + textOf(parts[index - 1]) + string));

/** Markup from a trusted maker (the QR drawing library). */
export const trusted = (text: string): Html => new Html(text);
