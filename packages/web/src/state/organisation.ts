/**
 * Which organisation is asked for where the host names none. index.html keeps the slug of `?org=` in a cookie: a redirect takes the query away and a 511
 * clears local storage, and whoever opened the page of an organisation signs in there.
 * @returns its slug; '' where none was asked for.
 */
export const organisationAsked = (): string => /(?:^|; )org=([a-z0-9-]+)/.exec(document.cookie)?.[1] ?? '';

/** There is none of that slug: the next request asks for none again. */
export function forgetOrganisationAsked(): void {
  document.cookie = 'org=; path=/; max-age=0; samesite=lax';
}
