import { NEW_SLOT, slotOf } from '#web/offline/begun-forms.ts';
import { deleteDraft, loadDraft, saveDraft } from '#web/offline/drafts.ts';
import { cleanValues, localForm, type LocalForm, type OpenedForm, type Signed } from './draft.ts';
import type { Step, Values } from './fields.ts';

/** Writes follow each other, and a read waits for them: a form that closes and opens again finds its last letter. */
let writes: Promise<unknown> = Promise.resolve();
const inTurn = <Result>(run: () => Promise<Result>): Promise<Result> => {
  const turn = writes.then(run, run);
  writes = turn.catch(() => undefined);
  return turn;
};

/** Keeps a form on this phone; the PAN and the tick of the consent are left out. */
export const keepForm = (
  slot: string,
  values: Values,
  step: Step,
  customerId: string | undefined,
  signed?: Signed,
): Promise<void> =>
  inTurn(() =>
    saveDraft(slot, {
      values: cleanValues(values),
      step,
      ...(customerId && { customerId }),
      ...(signed && { signed }),
    } satisfies LocalForm),
  );
/** All that was given to be kept so far lies on this phone. */
export const formsKept = async (): Promise<void> => void (await writes);
export const dropForm = (slot: string): Promise<void> => inTurn(() => deleteDraft(slot));

const load = async (slot: string): Promise<OpenedForm | undefined> => {
  const kept = await inTurn(() => loadDraft<LocalForm>(slot));
  return kept && localForm(kept);
};

/** This phone's form and where it lies: of a customer, or of "Add". */
export interface Found {
  slot: string;
  form: OpenedForm | undefined;
}

export async function findForm(customerId: string | undefined): Promise<Found> {
  const begun = await load(NEW_SLOT);
  if (!customerId) return { slot: NEW_SLOT, form: begun };
  if (begun?.customerId === customerId) return { slot: NEW_SLOT, form: begun };
  return { slot: slotOf(customerId), form: await load(slotOf(customerId)) };
}

let ahead: { customerId: string | undefined; found: Found } | undefined;

/** Where the app begins with the form, it is looked for before the screen is drawn, and stands there at the first look. */
export async function findAhead(customerId: string | undefined): Promise<void> {
  const found = await findForm(customerId).catch(() => undefined);
  ahead = found && { customerId, found };
}
export const foundAhead = (customerId: string | undefined): Found | undefined =>
  ahead?.customerId === customerId ? ahead?.found : undefined;
/** Once it is drawn: later it may be another. */
export const forgetAhead = (): void => {
  ahead = undefined;
};
