/** What stands where the name of an erased customer stood: no word of any language, and nothing that anybody could be called, for a name has a letter. */
export const NAMELESS = '—';

/** Whether what was kept of this customer was erased: of those there is neither a name nor a number, only what the law keeps. */
export const isErased = ({ first_name }: { first_name: string }): boolean => first_name === NAMELESS;
