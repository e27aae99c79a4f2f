import type { TestProject } from 'vitest/node';
import type { ConnectionConfig } from '#server/platform/connection.ts';
import { startTemplateServer } from './template.ts';

declare module 'vitest' {
  export interface ProvidedContext {
    kistTestServer: { connection: ConnectionConfig; serving: ConnectionConfig; template: string };
  }
}

/** One PostgreSQL for the whole run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const { connection, serving, template, stop } = await startTemplateServer();
  project.provide('kistTestServer', { connection, serving, template });
  return stop;
}
