/** What a text field offers while something is typed into it (`list`); whatever else is typed counts as well. */
export const Choices = ({ id, of }: { id: string; of: readonly string[] }) => (
  <datalist id={id}>
    {of.map((choice) => (
      <option key={choice} value={choice}>
        {choice}
      </option>
    ))}
  </datalist>
);
