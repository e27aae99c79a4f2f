// @vitest-environment jsdom
import { render, screen } from '@testing-library/react';
import { MemoryRouter } from 'react-router';
import { afterEach, expect, it, vi } from 'vitest';
import { toApiError } from '#web/api/errors.ts';
import { KeptOnce } from './kept-note.tsx';
import { QueryView } from './query-view.tsx';

const asked = { data: undefined, error: undefined, isFetching: true, keptAtMs: undefined, refetch: () => undefined };
const gone = { ...asked, error: toApiError('FETCH_ERROR', null) };
const show = (result: Parameters<typeof QueryView<string>>[0]['result'], at = '/customers') => (
  <MemoryRouter initialEntries={[at]}>
    <QueryView result={result}>{(data) => <p>{data}</p>}</QueryView>
  </MemoryRouter>
);
afterEach(() => vi.restoreAllMocks());

it('what is wrong stays to be read while it is asked again, and goes when there is an answer', () => {
  vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(false);
  const { rerender } = render(show(asked));
  expect(screen.getByText('states.loading')).toBeInTheDocument();
  rerender(show({ ...gone, isFetching: false }));
  expect(screen.getByText('states.offline_title')).toBeInTheDocument();
  rerender(show(gone));
  expect(screen.getByText('states.offline_title')).toBeInTheDocument();
  expect(screen.getByRole('button', { name: 'common.retry' })).toHaveAttribute('aria-busy', 'true');
  rerender(show({ ...asked, data: 'Asha', isFetching: false }));
  expect(screen.getByText('Asha')).toBeInTheDocument();
});

it('what an earlier page was told is asked again before it is said', () => {
  render(show(gone));
  expect(screen.queryByText('states.offline_title')).toBeNull();
  expect(screen.getByText('states.loading')).toBeInTheDocument();
});

it.each([
  ['/customers/zzz', '/customers'],
  ['/retailers/zzz', '/retailers'],
])('what is not there leads on to where one may look: %s', (at, to) => {
  const missing = { status: 404, response: 'failure', message: '', code: 'NOT_FOUND' };
  render(show({ ...asked, error: toApiError(404, missing), isFetching: false }, at));
  expect(screen.getByText('states.not_found')).toBeInTheDocument();
  expect(screen.getByRole('link')).toHaveAttribute('href', to);
});

it('of all that was kept one line is drawn, as old as the oldest; it goes when the server has answered everything', () => {
  const now = Date.now();
  const kept = (data: string, atMs: number | undefined) => ({ ...asked, data, isFetching: false, keptAtMs: atMs });
  const page = (...at: (number | undefined)[]) => (
    <MemoryRouter>
      <KeptOnce>
        {at.map((atMs, place) => (
          <QueryView key={place} result={kept(`part ${place}`, atMs)}>
            {(data) => <p>{data}</p>}
          </QueryView>
        ))}
      </KeptOnce>
    </MemoryRouter>
  );
  const { container, rerender } = render(page(now - 60_000, now - 3_600_000, undefined));
  const notes = () => container.querySelectorAll('[data-kept]');
  expect(notes()).toHaveLength(1);
  expect(screen.getByText('part 2')).toBeInTheDocument();
  rerender(page(undefined, now - 3_600_000, undefined));
  expect(notes()).toHaveLength(1);
  rerender(page(undefined, undefined, undefined));
  expect(notes()).toHaveLength(0);
});
