import { COLUMN_NAMES } from '#server/sales/import-columns.ts';

const quoted = (text: string) => `"${text.replaceAll('"', '""')}"`;

/** A shop's book of running EMIs as it is brought in, by the columns that any of the rows has. @returns CSV as spreadsheets save it */
export const bookFile = (...rows: Record<string, string>[]): string => {
  const names = COLUMN_NAMES.filter((name) => rows.some((one) => name in one));
  return `\uFEFF${[names, ...rows.map((one) => names.map((name) => quoted(one[name] ?? '')))].map((fields) => fields.join(',')).join('\r\n')}\r\n`;
};
