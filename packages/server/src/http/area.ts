export type Area = 'api' | 'agent' | 'hooks' | 'demo' | 'lab' | 'metrics' | 'health' | 'files';

export const AREAS: ReadonlyMap<string, Area> = new Map([
  ['api', 'api'],
  ['country', 'api'],
  ['upload', 'api'],
  ['emm', 'api'],
  ['public', 'api'],
  ['n', 'api'],
  // Pictures of customers; `files` is what the app is made of.
  ['files', 'api'],
  ['agent', 'agent'],
  ['mdm', 'agent'],
  ['hooks', 'hooks'],
  ['demo', 'demo'],
  ['lab', 'lab'],
  ['metrics', 'metrics'],
  ['healthz', 'health'],
  ['readyz', 'health'],
]);

/** What is asked for, by the first part of its path; whatever is no program's is a file of the app. */
export function areaOf(path: string): Area {
  const slash = path.indexOf('/', 1);
  const query = path.indexOf('?');
  const end = slash === -1 || (query !== -1 && query < slash) ? query : slash;
  return AREAS.get(path.slice(1, end === -1 ? undefined : end)) ?? 'files';
}
