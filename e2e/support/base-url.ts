/** Where the server of the tests is; playwright.config.ts starts it there. */
export const BASE_URL = process.env['KIST_E2E_URL'] ?? `http://localhost:${process.env['KIST_E2E_PORT'] ?? 3210}`;

/** JSON from a demo or lab route. @throws Error with what the server said. */
export async function demoCall<Reply>(method: 'GET' | 'POST' | 'DELETE', path: string, body?: unknown): Promise<Reply> {
  const response = await fetch(`${BASE_URL}${path}`, {
    method,
    ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
  });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
  return JSON.parse(text) as Reply;
}
