import { beforeEach, describe, expect, it } from 'vitest';
import type { ApiError } from '#web/api/errors.ts';
import { Outbox, type OutboxEntry, type SendResult } from './outbox.ts';
import { memoryRows } from './rows.ts';
import { newSealKey, seal, unseal } from './seal.ts';

const refused = (code: string, status: ApiError['status']): SendResult => ({
  error: { status, code: code as ApiError['code'], message: code, fields: [], details: {} },
});
const offline = refused('FETCH_ERROR', 'FETCH_ERROR');
const pay = (label: string) => ({ name: 'updateEmiStatus' as const, input: { body: { amount: 100 } }, label });

let nowMs = 0;
let owner = 'sunita';
let network: (entry: OutboxEntry) => SendResult = () => ({ data: {} });
let sent: string[] = [];
let rows = memoryRows<OutboxEntry>();
const make = () =>
  new Outbox({
    rows,
    owner: () => owner,
    nowMs: () => nowMs,
    later: () => undefined,
    send: async (entry) => {
      sent.push(entry.id);
      expect(await rows.get(owner, entry.id), 'stored before it is sent').toBeDefined();
      return network(entry);
    },
  });
beforeEach(() => {
  nowMs = 1_000_000;
  owner = 'sunita';
  sent = [];
  rows = memoryRows();
  network = () => ({ data: { receipt_no: 'R-1' } });
});

describe('the outbox', () => {
  it('stores before sending, gives the data back and keeps nothing that was done', async () => {
    const outbox = make();
    expect(await outbox.put(pay('a'))).toEqual({ state: 'sent', data: { receipt_no: 'R-1' } });
    expect(outbox.entries()).toEqual([]);
    expect(await rows.list('sunita')).toEqual([]);
  });
  it('keeps what got no answer and sends it again with the same key', async () => {
    const outbox = make();
    network = () => offline;
    expect(await outbox.put(pay('a'))).toEqual({ state: 'queued' });
    network = () => ({ data: {} });
    await outbox.replay(true);
    expect(sent).toHaveLength(2);
    expect(sent[0]).toBe(sent[1]);
    expect(outbox.entries()).toEqual([]);
  });
  it('waits longer after each failure, at most five minutes, and tries at once when told to', async () => {
    const outbox = make();
    network = () => offline;
    await outbox.put(pay('a'));
    const waits: number[] = [];
    for (let i = 0; i < 10; i++) {
      const [entry] = outbox.entries() as [OutboxEntry];
      waits.push(entry.nextAtMs - nowMs);
      await outbox.replay();
      expect(sent).toHaveLength(i + 1);
      nowMs = entry.nextAtMs;
      await outbox.replay();
    }
    expect(waits.slice(0, 3)).toEqual([2000, 4000, 8000]);
    expect(Math.max(...waits)).toBe(300_000);
    await outbox.replay(true);
    expect(sent).toHaveLength(12);
  });
  it('sends oldest first and holds the rest back while there is no network', async () => {
    const outbox = make();
    network = () => offline;
    await outbox.put(pay('first'));
    nowMs += 5;
    await outbox.put(pay('second'));
    sent = [];
    await outbox.replay(true);
    expect(sent).toHaveLength(1);
    const labels: string[] = [];
    network = (entry) => {
      labels.push(entry.label);
      return { data: {} };
    };
    await outbox.replay(true);
    expect(labels).toEqual(['first', 'second']);
  });
  it('lets no payment wait behind a picture that takes its time', async () => {
    const outbox = make();
    let arrive = (): void => undefined;
    const slow = new Outbox({
      rows,
      owner: () => owner,
      send: (entry) =>
        entry.picture === undefined
          ? Promise.resolve({ data: {} })
          : new Promise((resolve) => (arrive = () => resolve({ data: {} }))),
    });
    const upload = { name: 'uploadCustomerPhoto' as const, input: { body: {} }, label: 'Photo', picture: 'data:,x' };
    const uploaded = slow.put(upload);
    await expect.poll(() => slow.entries()).toMatchObject([{ label: 'Photo', state: 'sending' }]);
    expect(await slow.put(pay('a'))).toMatchObject({ state: 'sent' });
    expect(slow.entries()).toHaveLength(1);
    await outbox.load();
    expect(outbox.entries(), 'and it is on the disk like the others').toMatchObject([{ picture: 'data:,x' }]);
    arrive();
    expect(await uploaded).toMatchObject({ state: 'sent' });
  });
  it('what is removed while it is under way does not come back when the network fails it, nor when its row is written late', async () => {
    for (const isLate of [false, true]) {
      let fail = (): void => undefined;
      let write = (): void => undefined;
      const outbox = new Outbox({
        rows: {
          ...rows,
          put: async (...row: Parameters<typeof rows.put>) => {
            await rows.put(...row);
            if (isLate && row[2].tries > 0) await new Promise<void>((resolve) => (write = resolve));
          },
        },
        owner: () => owner,
        later: () => undefined,
        send: () => new Promise((resolve) => (fail = () => resolve(offline))),
      });
      const put = outbox.put(pay('a'));
      await expect.poll(() => outbox.entries()).toMatchObject([{ state: 'sending' }]);
      const [{ id } = { id: '' }] = outbox.entries();
      if (isLate) fail();
      if (isLate) await expect.poll(async () => (await rows.get(owner, id))?.tries).toBe(1);
      await outbox.discard(id);
      if (isLate) write();
      else fail();
      await put;
      expect(outbox.entries()).toEqual([]);
      expect(await rows.list(owner)).toEqual([]);
    }
  });
  it('gives a refusal straight back to the form, with its code, and keeps nothing', async () => {
    const outbox = make();
    network = () => refused('ALREADY_PAID', 409);
    expect(await outbox.put(pay('a'))).toMatchObject({ state: 'failed', error: { code: 'ALREADY_PAID' } });
    expect(outbox.entries()).toEqual([]);
  });
  it('shows a later refusal with its coded reason, lets others pass, and can be tried again with the same key or removed', async () => {
    const outbox = make();
    network = () => offline;
    await outbox.put(pay('bad'));
    nowMs += 5;
    await outbox.put(pay('good'));
    network = (entry) => (entry.label === 'bad' ? refused('STATE_CONFLICT', 409) : { data: {} });
    await outbox.replay(true);
    expect(outbox.entries()).toMatchObject([{ label: 'bad', state: 'failed', error: { code: 'STATE_CONFLICT' } }]);
    const [bad] = outbox.entries() as [OutboxEntry];
    sent = [];
    await outbox.retry(bad.id);
    expect(sent).toEqual([bad.id]);
    await outbox.discard(bad.id);
    expect(await rows.list('sunita')).toEqual([]);
  });
  it.each([
    ['SESSION_REQUIRED', 511],
    ['INTERNAL', 500],
    ['RATE_LIMITED', 429],
    ['UNAVAILABLE', 502],
    ['UNAVAILABLE', 503],
    ['UNAVAILABLE', 504],
    ['INVALID_INPUT', 408],
    ['OTP_TOO_SOON', 429],
    ['REPLAYED_REQUEST', 409],
    ['STALE_REQUEST', 400],
    ['UNKNOWN', 403],
    ['FETCH_ERROR', 'FETCH_ERROR'],
    ['TIMEOUT_ERROR', 'TIMEOUT_ERROR'],
    ['PARSING_ERROR', 511],
  ] as const)('%s (%s) decides nothing: the entry stays queued', async (code, status) => {
    const outbox = make();
    network = () => refused(code, status);
    expect(await outbox.put(pay('a'))).toEqual({ state: 'queued' });
    expect(outbox.entries()).toMatchObject([{ state: 'queued' }]);
  });
  it('waits as long as a busy server asks for', async () => {
    const outbox = make();
    const busy = refused('UNAVAILABLE', 503);
    network = () => ({ error: { ...busy.error!, retryAfterS: 40 } });
    await outbox.put(pay('a'));
    expect(outbox.entries()[0]!.nextAtMs - nowMs).toBe(40_000);
  });
  it('goes on in memory when nothing can be written, and takes a sender that breaks for no answer', async () => {
    rows = { ...memoryRows<OutboxEntry>(), put: () => Promise.reject(new Error('disk full')) };
    const attempts: string[] = [];
    const outbox = new Outbox({
      rows,
      owner: () => owner,
      nowMs: () => nowMs,
      later: () => undefined,
      send: async ({ id }) => {
        attempts.push(id);
        if (attempts.length === 1) throw new Error('broken');
        return { data: {} };
      },
    });
    expect(await outbox.put(pay('a'))).toEqual({ state: 'queued' });
    expect(await outbox.flush()).toBe(true);
    expect(attempts).toEqual([attempts[0], attempts[0]]);
  });
  it('survives the death of the app in the middle of sending', async () => {
    const outbox = make();
    network = () => offline;
    await outbox.put(pay('a'));
    const [entry] = outbox.entries() as [OutboxEntry];
    await rows.put('sunita', entry.id, { ...entry, state: 'sending' });
    const reborn = make();
    await reborn.load();
    expect(reborn.entries()).toMatchObject([{ id: entry.id, state: 'queued' }]);
    network = () => ({ data: {} });
    await reborn.replay(true);
    expect(sent.at(-1)).toBe(entry.id);
  });
  it("neither shows nor sends another user's entries, nor anything when nobody is signed in", async () => {
    const outbox = make();
    network = () => offline;
    await outbox.put(pay('a'));
    for (const other of ['irfan', '']) {
      owner = other;
      await outbox.load();
      expect(outbox.entries()).toEqual([]);
      sent = [];
      await outbox.replay(true);
      expect(sent).toEqual([]);
    }
    owner = 'sunita';
    await outbox.load();
    expect(outbox.entries()).toHaveLength(1);
  });
  it("sends nothing of a user whose session is over from that moment on, not only once the next user's are read", async () => {
    const outbox = make();
    network = () => offline;
    await outbox.put(pay('a'));
    sent = [];
    for (const other of ['irfan', '']) {
      owner = other;
      await outbox.replay(true);
    }
    expect(sent).toEqual([]);
    owner = 'sunita';
    network = () => ({ data: {} });
    await outbox.replay(true);
    expect(sent).toHaveLength(1);
  });
  it('leaves an entry to its owner when the session ends, and another begins, while it is under way', async () => {
    const outbox = make();
    network = () => {
      owner = 'irfan';
      void outbox.load();
      return refused('SESSION_REQUIRED', 511);
    };
    await outbox.put(pay('a'));
    expect(outbox.entries()).toEqual([]);
    await outbox.replay(true);
    expect(sent).toHaveLength(1);
    expect(await rows.list('irfan')).toEqual([]);
    expect(await rows.list('sunita')).toMatchObject([{ label: 'a', state: 'queued' }]);
  });
  it.each([
    ['done', { data: { receipt_no: 'R-1' } }, []],
    ['refused', refused('STATE_CONFLICT', 409), [{ label: 'a', state: 'failed', error: { code: 'STATE_CONFLICT' } }]],
  ])('tells the next user nothing of what was %s, and loses nothing of who put it', async (_what, said, left) => {
    const outbox = make();
    network = () => {
      owner = 'irfan';
      void outbox.load();
      return said;
    };
    expect(await outbox.put(pay('a'))).toMatchObject({
      state: 'failed',
      error: { code: 'SESSION_REQUIRED', message: '' },
    });
    expect(outbox.entries()).toEqual([]);
    expect(await rows.list('sunita')).toMatchObject(left);
  });
});

describe('a sealed row', () => {
  it('opens with its own key only', async () => {
    const [mine, theirs] = [await newSealKey(), await newSealKey()];
    const row = await seal('1', 'sunita', { amount: 428_100 }, mine);
    expect(await unseal(row, mine)).toEqual({ amount: 428_100 });
    expect(await unseal(row, theirs)).toBeUndefined();
    expect(await unseal(row, undefined)).toBeUndefined();
    expect(JSON.stringify(row)).not.toContain('428100');
  });
});
