import { afterEach, describe, expect, it } from 'vitest';
import { toast } from './toast.ts';

const texts: (string | undefined)[] = [];
const stop = toast.subscribe(() => texts.push(toast.current()?.text));
afterEach(() => {
  while (toast.current()) toast.close();
  texts.length = 0;
});

describe('a toast', () => {
  it('takes the place of the one before', () => {
    toast.ok('Payment saved');
    toast.error('No internet');
    expect(texts).toEqual(['Payment saved', 'No internet']);
    toast.close();
    expect(toast.current()).toBeNull();
  });

  it('that answers the user is never covered by news, which is shown afterwards', () => {
    toast.ok('Payment taken back');
    toast.info('A new version is ready', { isNews: true, action: { label: 'Reload', run: () => undefined } });
    expect(toast.current()?.text).toBe('Payment taken back');
    toast.close(toast.current()?.id);
    expect(toast.current()).toMatchObject({ text: 'A new version is ready', lastsMs: null });
  });

  it('covers news that stands, and the news comes back when it waits for an answer', () => {
    toast.info('A new version is ready', { isNews: true, action: { label: 'Reload', run: () => undefined } });
    toast.ok('Signed out');
    expect(toast.current()?.text).toBe('Signed out');
    toast.close();
    expect(toast.current()?.text).toBe('A new version is ready');
  });

  it('covers news that stands, and news that was only told does not come back over the next screen', () => {
    toast.ok('Works without internet too', { isNews: true });
    toast.ok('M-PIN saved');
    toast.close();
    expect(toast.current()).toBeNull();
  });

  it('that is gone already is not closed twice', () => {
    toast.ok('one');
    const first = toast.current()!.id;
    toast.ok('two');
    toast.close(first);
    expect(toast.current()?.text).toBe('two');
  });

  it('is heard of until one stops listening', () => {
    stop();
    toast.ok('nobody hears');
    expect(texts).toEqual([]);
  });
});
