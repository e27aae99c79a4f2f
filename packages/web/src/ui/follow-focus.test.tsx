// @vitest-environment jsdom
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { useState } from 'react';
import { beforeEach, expect, it } from 'vitest';
import { followGone } from './follow-focus.ts';
import { RowGroup } from './list-row.tsx';
import { Sheet } from './sheet.tsx';

beforeEach(() => {
  // jsdom has no dialogs; a browser gives the focus back to the opener when one is closed, and to nothing when it is taken off the page.
  let opener: Element | null = null;
  HTMLDialogElement.prototype.showModal = function showModal() {
    opener = document.activeElement;
    this.open = true;
    this.querySelector('button')?.focus();
  };
  HTMLDialogElement.prototype.close = function close() {
    this.open = false;
    if (opener instanceof HTMLElement) opener.focus();
  };
});

/** Devices that are logged in; each row goes a moment after the sheet that asked, or while it is open. */
function Devices({ names, isHeld = false }: { names: readonly string[]; isHeld?: boolean }) {
  const [list, setList] = useState(names);
  const [asked, setAsked] = useState<string | null>(null);
  const remove = () => setList((before) => before.filter((name) => name !== asked));
  return (
    <main>
      <h1 tabIndex={-1}>Devices</h1>
      <h2>Logged in</h2>
      <RowGroup>
        {list.map((name) => (
          <div key={name}>
            <p>{name}</p>
            <button onClick={() => setAsked(name)}>{`Log out ${name}`}</button>
          </div>
        ))}
      </RowGroup>
      {isHeld ? (
        <Sheet open={asked !== null} onClose={() => setAsked(null)} title="Sure?">
          <button onClick={() => (setAsked(null), setTimeout(() => act(remove), 20))}>Yes</button>
          <button onClick={() => (remove(), setAsked(null))}>Yes, now</button>
        </Sheet>
      ) : (
        asked && (
          <Sheet open onClose={() => setAsked(null)} title="Sure?">
            <button onClick={() => setAsked(null)}>No</button>
          </Sheet>
        )
      )}
    </main>
  );
}
const button = (name: string) => screen.getByRole('button', { name, hidden: true });
function press(name: string) {
  button(name).focus();
  fireEvent.click(button(name));
}

it('a sheet that is taken off the page gives the focus back to its opener', async () => {
  render(<Devices names={['Redmi', 'Vivo']} />);
  press('Log out Redmi');
  press('No');
  await waitFor(() => expect(button('Log out Redmi')).toHaveFocus());
});

it('a row that goes after its sheet leaves the focus to the row after it, the last one to the row before', async () => {
  render(<Devices names={['Redmi', 'Vivo', 'Oppo']} isHeld />);
  press('Log out Vivo');
  press('Yes');
  await waitFor(() => expect(button('Log out Vivo')).toHaveFocus());
  await waitFor(() => expect(button('Log out Oppo')).toHaveFocus());
  press('Log out Oppo');
  press('Yes');
  await waitFor(() => expect(button('Log out Redmi')).toHaveFocus());
});

it('an opener that is gone before its sheet leaves it likewise; the only one to the heading of its list', async () => {
  render(<Devices names={['Redmi', 'Vivo']} isHeld />);
  press('Log out Redmi');
  press('Yes, now');
  await waitFor(() => expect(button('Log out Vivo')).toHaveFocus());
  press('Log out Vivo');
  press('Yes, now');
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Logged in' })).toHaveFocus());
});

it('who has moved on meanwhile is left there', async () => {
  render(<Devices names={['Redmi', 'Vivo', 'Oppo']} isHeld />);
  press('Log out Vivo');
  press('Yes');
  await waitFor(() => expect(button('Log out Vivo')).toHaveFocus());
  screen.getByRole('button', { name: 'Log out Redmi' }).focus();
  await waitFor(() => expect(screen.queryByText('Vivo')).toBeNull());
  expect(screen.getByRole('button', { name: 'Log out Redmi' })).toHaveFocus();
});

it('in a sheet over a sheet that are both gone, what opened the first of them has it', async () => {
  function Two() {
    const [depth, setDepth] = useState(0);
    return (
      <>
        <button onClick={() => setDepth(1)}>Open</button>
        {depth > 0 && (
          <Sheet open onClose={() => undefined} title="First">
            <button onClick={() => setDepth(2)}>Deeper</button>
            <Sheet open={depth > 1} onClose={() => undefined} title="Second">
              <button onClick={() => setDepth(0)}>Done</button>
            </Sheet>
          </Sheet>
        )}
      </>
    );
  }
  render(<Two />);
  press('Open');
  press('Deeper');
  press('Done');
  await waitFor(() => expect(button('Open')).toHaveFocus());
});

it('without a sheet the focus goes to the heading above what is gone, and stays where somebody put it meanwhile', async () => {
  function Cards() {
    const [isThere, setThere] = useState(true);
    const answer = () => {
      followGone();
      setTimeout(() => act(() => setThere(false)), 20);
    };
    return (
      <main>
        <h1>Waiting</h1>
        {isThere && <button onClick={answer}>No</button>}
        <button>Elsewhere</button>
      </main>
    );
  }
  const { unmount } = render(<Cards />);
  press('No');
  await waitFor(() => expect(screen.getByRole('heading', { name: 'Waiting' })).toHaveFocus());
  unmount();
  render(<Cards />);
  press('No');
  button('Elsewhere').focus();
  await waitFor(() => expect(screen.queryByRole('button', { name: 'No' })).toBeNull());
  expect(button('Elsewhere')).toHaveFocus();
});
