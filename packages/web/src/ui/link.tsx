import type { ComponentProps, ReactNode } from 'react';
import { type To, useHref, useLinkClickHandler } from 'react-router';

/** A link to a screen; to the browser an ordinary one, which opens in a tab of its own as well. The router's own knows how to prefetch what a server renders: 2 KB on the line. */
export function Link(
  props: { to: To; replace?: boolean | undefined; state?: unknown; children: ReactNode } & Omit<
    ComponentProps<'a'>,
    'href' | 'target'
  >,
) {
  const { to, replace, state, onClick, children, ...anchor } = props;
  const go = useLinkClickHandler(to, replace === undefined ? { state } : { replace, state });
  return (
    <a
      {...anchor}
      href={useHref(to)}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) go(event);
      }}
    >
      {children}
    </a>
  );
}
