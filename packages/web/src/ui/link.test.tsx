// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { MemoryRouter, useLocation } from 'react-router';
import { expect, it, vi } from 'vitest';
import { Link } from './link.tsx';

const files = import.meta.glob<string>('../**/*.{ts,tsx}', { query: '?raw', import: 'default', eager: true });
const Here = () => {
  const { pathname, state } = useLocation();
  return <p>{`${pathname} ${JSON.stringify(state)}`}</p>;
};

it('goes without loading a page; with a key held, or once somebody else took the press, the browser is left to it', () => {
  const taken = vi.fn<(event: { preventDefault: () => void }) => void>((event) => event.preventDefault());
  render(
    <MemoryRouter initialEntries={['/a']}>
      <Link to="/b?c=1" state={{ from: 'a' }}>
        b
      </Link>
      <Link to="/d" onClick={taken}>
        d
      </Link>
      <Here />
    </MemoryRouter>,
  );
  expect(screen.getByRole('link', { name: 'b' })).toHaveAttribute('href', '/b?c=1');
  fireEvent.click(screen.getByRole('link', { name: 'b' }), { ctrlKey: true });
  expect(screen.getByText('/a null')).toBeInTheDocument();
  fireEvent.click(screen.getByRole('link', { name: 'd' }));
  expect(taken).toHaveBeenCalledOnce();
  expect(screen.getByText('/a null')).toBeInTheDocument();
  fireEvent.click(screen.getByRole('link', { name: 'b' }));
  expect(screen.getByText('/b {"from":"a"}')).toBeInTheDocument();
});

it('is the app’s only one: the router’s brings prefetching into the first visit', () => {
  const others = Object.entries(files)
    .filter(([, text]) => /import \{[^}]*\b(?:Link|NavLink|Form)\b[^}]*\} from 'react-router'/.test(text))
    .map(([file]) => file);
  expect(others).toEqual([]);
});
