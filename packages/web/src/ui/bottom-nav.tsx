import type { To } from 'react-router';
import { cx } from './cx.ts';
import { Icon } from './icon.tsx';
import type { IconName } from './icon-paths.ts';
import { Link } from './link.tsx';

export interface NavTab {
  key: string;
  label: string;
  icon: IconName;
  /** Somewhere to go, or something to open. */
  to?: To;
  onPress?: () => void;
  isActive?: boolean;
  /** The raised one in the middle. */
  main?: boolean;
}

const tabLook = (active: boolean) =>
  cx(
    'grid min-h-14 w-full content-center justify-items-center gap-0.5 rounded-md px-0.5 text-xs',
    active ? 'font-semibold text-accent-text' : 'text-ink-2',
  );

const Face = ({ tab }: { tab: NavTab }) => (
  <>
    {tab.main ? (
      <span className="-mt-[24px] md:mt-0 grid size-[48px] place-items-center rounded-xl bg-accent text-accent-fg shadow-[0_6px_16px_color-mix(in_srgb,var(--accent)_35%,transparent)]">
        <Icon name={tab.icon} />
      </span>
    ) : (
      <Icon name={tab.icon} />
    )}
    {/* Five words side by side grow with the letters no further than the screen's width lets them: whole they say more than large. */}
    <span className="max-w-full truncate text-[min(0.75rem,3.4vw)] leading-4 max-[21.5rem]:tracking-tighter">
      {tab.label}
    </span>
  </>
);

/** The thumb's bar, five places at most; on a tablet a rail at the left. @param isRail the rail alone */
export function BottomNav(props: { label: string; tabs: readonly NavTab[]; isRail: boolean }) {
  return (
    <nav
      aria-label={props.label}
      className={cx(
        'fixed inset-x-0 bottom-0 z-20 border-t border-line bg-card pb-safe md:inset-y-0 md:right-auto md:block md:w-20 md:border-t-0 md:border-r compact:md:banded',
        props.isRail && 'hidden',
      )}
    >
      <ul className="mx-auto grid max-w-160 auto-cols-fr grid-flow-col px-1 pt-1 md:auto-rows-max md:grid-flow-row md:gap-3 md:pt-10">
        {props.tabs.map((tab) => (
          <li key={tab.key}>
            {tab.to !== undefined ? (
              <Link
                to={tab.to}
                aria-current={tab.isActive ? 'page' : undefined}
                className={tabLook(tab.isActive ?? false)}
              >
                <Face tab={tab} />
              </Link>
            ) : (
              <button
                type="button"
                onClick={tab.onPress}
                aria-haspopup="dialog"
                className={tabLook(tab.isActive ?? false)}
              >
                <Face tab={tab} />
              </button>
            )}
          </li>
        ))}
      </ul>
    </nav>
  );
}
