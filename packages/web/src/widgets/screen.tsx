import { useEffect, type ReactNode } from 'react';
import { useLocation, type To } from 'react-router';
import { useBrand } from '#web/theme/use-brand.ts';
import { cx } from '#web/ui/cx.ts';
import { Header } from '#web/ui/header.tsx';
import { KeptOnce } from './kept-note.tsx';

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
  const brand = useBrand()?.name;
  const { key } = useLocation();
  useEffect(() => {
    document.title = brand ? `${title} · ${brand}` : title;
  }, [title, brand]);
  useEffect(() => {
    // 'default' is the first page of a visit: there the browser's own start of the page is right.
    if (focusTitle && key !== 'default') document.getElementById('screen-title')?.focus({ preventScroll: true });
  }, [focusTitle, key]);
  const column = cx('mx-auto w-full max-w-160', wide && 'lg:max-w-280');
  return (
    <>
      <div className={cx(column, 'sticky top-0 z-10')}>
        <Header title={title} {...header} />
      </div>
      <main
        id="content"
        tabIndex={-1}
        className={cx(column, 'grid flex-1 grid-cols-[minmax(0,1fr)] content-start gap-3 px-4 pb-6')}
      >
        <KeptOnce>{children}</KeptOnce>
      </main>
      {footer && (
        <div
          data-footer
          className="sticky bottom-[calc(var(--bar,0px)+env(safe-area-inset-bottom))] z-10 border-t border-line bg-bg/95 backdrop-blur-sm lg:bottom-0"
        >
          <div className={cx(column, 'flex gap-2 px-4 pt-3 pb-5 *:flex-1')}>{footer}</div>
        </div>
      )}
    </>
  );
}
