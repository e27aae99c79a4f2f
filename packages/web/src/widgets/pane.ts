import { createContext, useContext } from 'react';

/**
 * Where a screen stands on a wide page that shows two: the list at the left, what was chosen from it at the right. `isBeside`: the page is the other
 * one's, by name and focus.
 */
export interface Pane {
  side: 'list' | 'detail';
  isBeside: boolean;
}

export const PaneContext = createContext<Pane | null>(null);
/** null: the screen has the page for itself. */
export const usePane = (): Pane | null => useContext(PaneContext);
