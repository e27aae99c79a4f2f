/**
 * JSON in the one form that RFC 8785 (JCS) gives it: no spaces, the names of an object in the order of their UTF-16 units, texts and numbers as ECMAScript
 * writes them. What `undefined` stands for is not there. Two who hold the same document write the same characters, whatever order it came in.
 */
export function jcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).filter(([, member]) => member !== undefined);
  // Without a comparer names are sorted by their UTF-16 units, as the RFC wants it.
  const names = members.map(([name]) => name).toSorted();
  const object = Object.fromEntries(members);
  return `{${names.map((name) => `${JSON.stringify(name)}:${jcs(object[name])}`).join(',')}}`;
}
