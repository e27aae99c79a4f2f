/** The modal dialogs that are open, the topmost last: all else on the page is under them and inert. */
let open: readonly HTMLDialogElement[] = [];
const hearers = new Set<() => void>();
const set = (next: readonly HTMLDialogElement[]): void => {
  open = next;
  for (const hear of hearers) hear();
};

export const openDialogs = {
  add: (dialog: HTMLDialogElement): void => set([...open.filter((one) => one !== dialog), dialog]),
  remove: (dialog: HTMLDialogElement): void => set(open.filter((one) => one !== dialog)),
  /** What is said now is said in here, or nobody sees or hears it; null: on the page. */
  top: (): HTMLDialogElement | null => open.at(-1) ?? null,
  subscribe: (hear: () => void): (() => void) => {
    hearers.add(hear);
    return () => hearers.delete(hear);
  },
};
