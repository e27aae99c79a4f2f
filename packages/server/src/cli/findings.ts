/** What one check of `kist doctor` found. */
export interface Finding {
  level: 'ok' | 'warn' | 'fail';
  name: string;
  /** One sentence, without values of secrets. */
  says: string;
  /** What to do about it. */
  todo?: string;
}

export const ok = (name: string, says: string): Finding => ({ level: 'ok', name, says });
export const warn = (name: string, says: string, todo: string): Finding => ({ level: 'warn', name, says, todo });
export const fail = (name: string, says: string, todo: string): Finding => ({ level: 'fail', name, says, todo });

/** A check that throws has found something: its error says what. */
export async function checked(name: string, todo: string, work: () => Promise<Finding>): Promise<Finding> {
  try {
    return await work();
  } catch (error) {
    return fail(name, reasonOf(error), todo);
  }
}

/** A failed connection to several addresses says nothing by itself; its parts do. */
export function reasonOf(error: unknown): string {
  const { message, errors, code } = error as { message?: string; errors?: unknown[]; code?: string };
  return message || (errors?.[0] ? reasonOf(errors[0]) : (code ?? 'it did not work'));
}
