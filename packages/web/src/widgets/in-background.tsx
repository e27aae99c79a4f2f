import { useEffect, useState, type ComponentType } from 'react';

/** What could not be had is asked for again after this long, and at once when the network is back. */
const AGAIN_MS = 10_000;

/**
 * What nobody waits for: it comes after the screen, and until then there is nothing in its place. Where its code cannot be had the screen stands without it and
 * it is asked for again; as a `lazy` part it would take the whole screen down with it.
 * @example const Toasts = inBackground(async () => (await import('#web/ui/toast-region.tsx')).ToastRegion);
 */
export function inBackground<Props extends object>(load: () => Promise<ComponentType<Props>>): ComponentType<Props> {
  let known: ComponentType<Props> | undefined;
  return function Background(props: Props) {
    const [Inside, setInside] = useState(() => known);
    useEffect(() => {
      if (known) return undefined;
      let timer: ReturnType<typeof setTimeout> | undefined;
      let isWanted = true;
      const get = async (): Promise<void> => {
        clearTimeout(timer);
        try {
          known = await load();
          if (isWanted) setInside(() => known);
        } catch {
          if (isWanted) timer = setTimeout(() => void get(), AGAIN_MS);
        }
      };
      const retry = () => void (known ?? get());
      void get();
      window.addEventListener('online', retry);
      return () => {
        isWanted = false;
        clearTimeout(timer);
        window.removeEventListener('online', retry);
      };
    }, []);
    return Inside ? <Inside {...props} /> : null;
  };
}
