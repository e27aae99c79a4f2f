import { useEffect, useRef, type ReactNode } from 'react';
import { useLocation, type To } from 'react-router';
import { useBrand } from '#web/theme/use-brand.ts';
import { cx } from '#web/ui/cx.ts';
import { Header } from '#web/ui/header.tsx';
import { useTall } from '#web/ui/use-tall.ts';
import { KeptOnce } from './kept-note.tsx';
import { usePane } from './pane.ts';

/**
 * The frame of every screen inside the shell: header, title of the document, focus on the title after a navigation, content column.
 * @param back a path for the back button, or true for one step back in history.
 * @param detail second line of the header. @param lead avatar before the title. @param actions icon buttons.
 * @param footer sticks above the bottom bar: the screen's main button. @param wide two columns may use a desktop's width.
 */
export function Screen(props: {
  title: string;
  detail?: ReactNode;
  back?: To;
  onBack?: () => void;
  lead?: ReactNode;
  actions?: ReactNode;
  footer?: ReactNode;
  wide?: boolean;
  focusTitle?: boolean;
  children: ReactNode;
}) {
  const { title, children, footer, wide, focusTitle = true, ...header } = props;
  const pane = usePane();
  const { part, isTall } = useTall();
  useNamedPage(title, pane?.isBeside ?? false, focusTitle);
  const column = cx('mx-auto w-full', pane === null && (wide ? 'max-w-160 md:max-w-300' : 'max-w-160'));
  // On a page of two screens the landmark is around both.
  const Content = pane ? 'div' : 'main';
  return (
    <>
      <div ref={part} className={cx(column, !isTall && 'sticky', 'top-[var(--top,0px)] z-10')}>
        <Header title={title} isBeside={pane?.isBeside ?? false} isClosed={pane?.side === 'detail'} {...header} />
      </div>
      <Content
        {...(pane === null && { id: 'content', tabIndex: -1 })}
        className={cx(
          column,
          '@container grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-3 px-4 pb-6 compact:gap-2 compact:max-md:pt-3',
        )}
      >
        <KeptOnce>{children}</KeptOnce>
      </Content>
      {footer && <Footer column={column}>{footer}</Footer>}
    </>
  );
}

/** Sticks above the bar, and stands at the page's end where with large letters it would cover the very field that is typed into. */
function Footer({ column, children }: { column: string; children: ReactNode }) {
  const { part, isTall } = useTall();
  return (
    <div
      ref={part}
      data-footer={isTall ? undefined : ''}
      className={cx(
        !isTall && 'sticky',
        'bottom-[calc(var(--bar,0px)+env(safe-area-inset-bottom))] z-10 border-t border-line bg-bg/95 frosted',
      )}
    >
      <div
        className={cx(
          column,
          'flex flex-wrap gap-2 px-4 pt-3 pb-5 *:flex-1 lg:justify-end lg:pb-3 lg:*:min-w-48 lg:*:flex-none',
        )}
      >
        {children}
      </div>
    </div>
  );
}

/** The document is called as the screen is, and the focus goes to its title: once for each screen, not with every filter that the address takes up. */
function useNamedPage(title: string, isBeside: boolean, focusTitle: boolean): void {
  const brand = useBrand()?.name;
  const { key, pathname } = useLocation();
  const last = useRef({ key: '', pathname: '', title: '' });
  useEffect(() => {
    if (!isBeside) document.title = brand ? `${title} · ${brand}` : title;
  }, [title, brand, isBeside]);
  useEffect(() => {
    const was = last.current;
    last.current = { key, pathname, title };
    const isOther = was.key !== key && (was.pathname !== pathname || was.title !== title);
    // 'default' is the first page of a visit: there the browser's own start of the page is right.
    if (isOther && focusTitle && !isBeside && key !== 'default')
      document.getElementById('screen-title')?.focus({ preventScroll: true });
  }, [focusTitle, isBeside, key, pathname, title]);
}
