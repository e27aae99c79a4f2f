import { useRead } from '#web/api/use-call.ts';
import { Choices } from '#web/ui/choices.tsx';

/** The fields that these are offered in. */
export const PLACE_LISTS = { state: 'states-of-india', city: 'cities-of-state' } as const;

const nameOf = ({ name }: { name: string }): string => name;

/** India's states and, of the one that is typed, cities; nothing is offered without a network, and everything may be typed. */
export function PlaceChoices({ state }: { state: string }) {
  const { data: states = [] } = useRead('getStates', {});
  const code = states.find(({ name }) => name.toLowerCase() === state.trim().toLowerCase())?.code;
  const { data: cities = [] } = useRead('getCities', { query: { state: code } }, { skip: code === undefined });
  return (
    <>
      <Choices id={PLACE_LISTS.state} of={states.map(nameOf)} />
      <Choices id={PLACE_LISTS.city} of={code === undefined ? [] : cities.map(nameOf)} />
    </>
  );
}
