import { describe, expect, test, vi } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import * as documents from '#server/documents/documents.ts';
import { writeJpeg } from '#server/documents/jpeg.ts';
import { forget } from '#server/jobs/forget.ts';
import { forgetOld } from '#server/jobs/retention.ts';
import { createSealer } from '#server/platform/crypto.ts';
import { newId } from '#server/platform/ids.ts';
import { writePng } from '#server/platform/png.ts';
import { useDocumentDesk } from '#test/document-desk.ts';
import { makeOrganisation, makeRetailer } from '#test/factories.ts';
import { createSession } from '#test/http.ts';

/** Where pictures lie, what opens them, and when they go. */
const desk = useDocumentDesk();
const pixels = (grey: number) => ({ width: 30, height: 20, data: new Uint8Array(30 * 20 * 4).fill(grey) });
const photo = await writeJpeg(pixels(120), 0.9);
const drawn = writePng(pixels(0));

const keep = (customerId: string, document_type: string, fields: Record<string, string> = {}) =>
  desk.upload('uploadCustomerDocument', customerId, document_type.endsWith('signature') ? drawn : photo, {
    fields: { document_type, ...fields },
  });
const listed = async (customer_id: string, more: object = {}, token = desk.token) =>
  (await desk.http.call('getCustomerDocuments', { token, query: { customer_id, ...more } })).data;
const linkOf = async (document_id: string, token = desk.token) =>
  (await desk.http.call('getDocument', { token, query: { document_id } })).data.url;
const later = (seconds: number) =>
  desk.db.asOwner('update clock_offset set shift = shift + make_interval(secs => $1)', [seconds]);
const openings = async (customerId: string) =>
  (
    await desk.db.asOwner<{ data: object; by: string }>(
      `select data, actor ->> 'user_id' as by from audit_lines where subject_id = $1 and action = 'document_opened' order by seq`,
      [customerId],
    )
  ).map(({ data, by }) => ({ data, by }));

const notes = async (action: string, customerId: string) =>
  (
    await desk.db.asOwner<{ data: object }>('select data from audit_lines where subject_id = $1 and action = $2', [
      customerId,
      action,
    ])
  ).map(({ data }) => data);

describe('a link', () => {
  test('opens the picture, and who looked stands in the audit, once for each link', async () => {
    const customerId = await desk.draft();
    const { data } = await keep(customerId, 'pan');
    const [line] = await listed(customerId);
    const openedBy = (link_until: string) => ({
      data: { document_id: data.document_id, type: 'pan', link_until },
      by: desk.shop.userId,
    });
    const replies = await Promise.all([line!, line!, line!].map(({ url }) => desk.get(url)));
    expect(replies.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect(await openings(customerId)).toEqual([openedBy(line!.expires_at)]);
    await later(2);
    const [another] = await listed(customerId);
    await desk.get(another!.url);
    await desk.get(another!.url);
    expect(await openings(customerId)).toEqual([openedBy(line!.expires_at), openedBy(another!.expires_at)]);
  });
  test('that somebody made up asks the database for nothing', async () => {
    const customerId = await desk.draft();
    const url = await linkOf((await keep(customerId, 'pan')).data.document_id);
    const asked = vi.spyOn(desk.http.app.deps.db, 'transaction');
    expect((await desk.get(`${url.slice(0, -1)}${url.endsWith('A') ? 'Q' : 'A'}`)).status).toBe(404);
    expect(asked).not.toHaveBeenCalled();
    expect((await desk.get(url)).status).toBe(200);
    expect(asked).toHaveBeenCalledOnce();
    asked.mockRestore();
  });
  test('dies after a minute, and says so of itself', async () => {
    const customerId = await desk.draft();
    const { data } = await keep(customerId, 'pan');
    const { url, expires_at } = (
      await desk.http.call('getDocument', { token: desk.token, query: { document_id: data.document_id } })
    ).data;
    const [moment] = await desk.db.asOwner<{ ms: number }>(
      'select extract(epoch from kist_now())::float8 * 1000 as ms',
    );
    expect(Date.parse(expires_at) - moment!.ms).toBeLessThanOrEqual(LIMITS.documentLinkS * 1000);
    await later(LIMITS.documentLinkS - 5);
    expect((await desk.get(url)).status).toBe(200);
    await later(6);
    expect((await desk.get(url)).status).toBe(404);
  });
  test('opens nothing while its end lies further ahead than a link lives, well signed as it is', async () => {
    const customerId = await desk.draft();
    const url = await linkOf((await keep(customerId, 'pan')).data.document_id);
    // A clock that ran ahead and was put right: the link would live for an hour and a minute.
    await later(-3600);
    expect(await desk.get(url)).toMatchObject({ status: 404 });
    expect(await openings(customerId)).toEqual([]);
    await later(3600);
    expect(await desk.get(url)).toMatchObject({ status: 200 });
  });
  test('dies with the session that asked for it, and with its user', async () => {
    const customerId = await desk.draft();
    const { data } = await keep(customerId, 'pan');
    const token = await createSession(desk.db, { orgId: 20, userId: desk.shop.userId, mobile: '' });
    const url = await linkOf(data.document_id, token);
    expect((await desk.get(url)).status).toBe(200);
    await desk.db.asOwner(
      'update sessions set revoked_at = now() where session_id = (select session_id from sessions order by created_at desc limit 1)',
    );
    expect((await desk.get(url)).status).toBe(404);
  });
  test('says nothing to whoever changes a letter of it, nor for another picture, session or time', async () => {
    const customerId = await desk.draft();
    const one = await linkOf((await keep(customerId, 'pan')).data.document_id);
    const other = await linkOf((await keep(customerId, 'aadhaar')).data.document_id);
    const parts = one.slice('/files/'.length).split('.');
    const others = other.slice('/files/'.length).split('.');
    const mixed = parts.map((_part, index) =>
      parts.map((part, at) => (at === index ? (index === 3 ? 'zzzzzz' : others[index]!) : part)),
    );
    for (const letters of [...mixed.slice(1, 2), ...mixed.slice(3)]) {
      expect(letters.join('.')).not.toBe(parts.join('.'));
      expect((await desk.get(`/files/${letters.join('.')}`)).status).toBe(404);
    }
    for (const made of ['x', '20', '../../etc/passwd', '%00', `21.${parts.slice(1).join('.')}`])
      expect((await desk.get(`/files/${encodeURIComponent(made)}`)).status).toBe(404);
    expect((await desk.get(one)).status).toBe(200);
  });
  test('is no use to a shop that the customer has left: the picture moved along', async () => {
    const customerId = await desk.draft();
    const { data } = await keep(customerId, 'pan');
    const url = await linkOf(data.document_id);
    const other = await makeRetailer(desk.db, 20);
    const token = await createSession(desk.db, { orgId: 20, userId: other.userId, mobile: '' });
    const query = { document_id: data.document_id };
    expect((await desk.http.call('getDocument', { token, query })).code).toBe('NOT_FOUND');
    await desk.db.plant(['customers'], 'update customers set owner_user_id = $2 where customer_id = $1', [
      customerId,
      other.userId,
    ]);
    expect((await desk.get(url)).status).toBe(404);
    expect((await desk.http.call('getDocument', { token: desk.token, query })).code).toBe('NOT_FOUND');
    expect((await desk.get(await linkOf(data.document_id, token))).status).toBe(200);
    expect((await listed(customerId, {}, token)).map(({ document_id }) => document_id)).toEqual([data.document_id]);
  });
});

describe('on the disk', () => {
  const blobs = () => desk.services.db.ports.documents.blobs;
  test('nothing of the picture can be read, and the database holds none of its bytes', async () => {
    const customerId = await desk.draft();
    const { data } = await keep(customerId, 'pan');
    const key = (await desk.files()).find((one) => one.endsWith(data.document_id))!;
    const file = await blobs().get(key);
    const parts: Buffer[] = [];
    for await (const part of file!) parts.push(part as Buffer);
    const lying = Buffer.concat(parts);
    for (const mark of [Buffer.from([0xff, 0xd8, 0xff]), Buffer.from('JFIF')]) expect(lying.includes(mark)).toBe(false);
    const [row] = await desk.db.asOwner<{ sealed: null; head: number }>(
      'select sealed, octet_length(key_sealed) as head from documents where document_id = $1',
      [data.document_id],
    );
    expect(row).toEqual({ sealed: null, head: 65 });
  });
  test('a file that is gone is said to be unavailable, not unknown', async () => {
    const customerId = await desk.draft();
    const { data } = await keep(customerId, 'pan');
    await blobs().delete((await desk.files()).find((one) => one.endsWith(data.document_id))!);
    expect((await desk.get(await linkOf(data.document_id))).status).toBe(503);
  });
  test('of a row that could not be written nothing stays', async () => {
    const customerId = await desk.draft();
    const before = await desk.files();
    const { ports } = desk.services.db;
    const images: typeof ports.documents.images = {
      // The draft is deleted while the picture is made.
      remake: async (owner, bytes, to) => {
        await desk.db.asOwner('delete from customers where customer_id = $1', [customerId]);
        return ports.documents.images.remake(owner, bytes, to);
      },
    };
    const db = desk.services.db.with({ ...ports, documents: { ...ports.documents, images } });
    await expect(
      documents.keep(db, desk.shop, { customer_id: customerId, document_type: 'pan', bytes: photo }),
    ).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await desk.files()).toEqual(before);
    expect(await desk.db.asOwner('select from loose_files where due_at > kist_now()')).toEqual([]);
  });
  test('a row that was written while its answer was lost keeps its file', async () => {
    const customerId = await desk.draft();
    const { db: given } = desk.services;
    let writes = 0;
    const db = {
      ...given,
      transaction: async <T>(orgId: number, work: Parameters<typeof given.transaction<T>>[1]): Promise<T> => {
        const answer = await given.transaction(orgId, work);
        // The first is the note of the file, the second its row.
        if ((writes += 1) === 2) throw new Error('the connection broke after the commit');
        return answer;
      },
    };
    const asked = { customer_id: customerId, document_type: 'pan', bytes: photo } as const;
    await expect(documents.keep(db, desk.shop, asked)).rejects.toThrow('the connection broke');
    const [{ document_id } = { document_id: '' }] = await desk.rows(customerId);
    expect((await desk.get(await linkOf(document_id))).status).toBe(200);
  });
  test('what a killed server left behind goes within the hour', async () => {
    const key = `documents/20/ab/${newId()}`;
    await desk.services.db.ports.documents.blobs.put(key, Buffer.from('half a story'));
    await desk.db.asOwner(
      `insert into loose_files (org_id, file_key, due_at) values (20, $1, kist_now() + interval '1 hour')`,
      [key],
    );
    await forget(desk.services.db, [20]);
    expect(await desk.files()).toContain(key);
    await later(3601);
    await forget(desk.services.db, [20]);
    expect(await desk.files()).not.toContain(key);
  });
});

describe('a note that orders a file to be deleted', () => {
  const note = (orgId: number, key: string) =>
    desk.db.transaction(orgId, (tx) =>
      tx.query('insert into loose_files (org_id, file_key, due_at) values ($1, $2, kist_now())', [orgId, key]),
    );
  const keyOf = (orgId: number, id: string) => `documents/${orgId}/${id.slice(-2)}/${id}`;
  const otherKeys = [keyOf(20, newId()), '../../kist.env', 'documents/30/../20/ab', `documents/30/ab/x${newId()}`, ''];
  test('names a file of its own organisation, and no other', async () => {
    await makeOrganisation(desk.db, 30);
    for (const key of otherKeys)
      await expect(note(30, key), key).rejects.toThrow(/loose_files_are_of_their_organisation/);
  });
  test('names no file that a picture is opened from, nor does the night delete one', async () => {
    const customerId = await desk.draft();
    const signed = (await keep(customerId, 'signature')).data.document_id;
    const key = keyOf(20, signed);
    await expect(note(20, key)).rejects.toThrow(/opened from that file/);
    await desk.db.plant(['loose_files'], 'insert into loose_files values (20, $1, kist_now())', [key]);
    await forget(desk.services.db, [20]);
    expect(await desk.files()).toContain(key);
    await desk.db.asOwner('delete from loose_files');
  });
  test('that cannot be carried out holds up neither the others nor another organisation', async () => {
    const keys = [newId(), newId(), newId()].toSorted().map((id) => keyOf(20, id));
    await makeOrganisation(desk.db, 31);
    const foreign = keyOf(31, newId());
    const { ports } = desk.services.db;
    for (const key of [...keys, foreign]) {
      await ports.documents.blobs.put(key, Buffer.from('x'));
      await note(Number(key.split('/')[1]), key);
    }
    const blobs = {
      ...ports.documents.blobs,
      delete: async (key: string) => {
        if (key === keys[0]) throw new Error('the disk does not answer');
        await ports.documents.blobs.delete(key);
      },
    };
    const db = desk.services.db.with({ ...ports, documents: { ...ports.documents, blobs } });
    await expect(documents.dropLoose(db, 20, 1)).rejects.toThrow('1 files could not be deleted');
    await expect(forget(db, [20, 31])).rejects.toThrow('1 organisations');
    expect((await desk.files()).filter((key) => [...keys, foreign].includes(key))).toEqual([keys[0]]);
    await forget(desk.services.db, [20]);
    expect(await desk.files()).not.toContain(keys[0]);
  });
});

describe('a new picture', () => {
  test('takes the place of the one of its type and name; papers of no name stand side by side', async () => {
    const customerId = await desk.draft();
    await keep(customerId, 'aadhaar', { image_name: 'front' });
    const back = await keep(customerId, 'aadhaar', { image_name: 'back' });
    const front = await keep(customerId, 'aadhaar', { image_name: 'front' });
    const papers = [await keep(customerId, 'other'), await keep(customerId, 'other')];
    const ids = [back, front, ...papers].map(({ data }) => data.document_id);
    expect((await listed(customerId)).map(({ document_id }) => document_id).toSorted()).toEqual(ids.toSorted());
    expect(await listed(customerId, { document_type: 'AADHAAR', image_name: 'front' })).toMatchObject([
      { document_id: front.data.document_id, image_name: 'front' },
    ]);
    const unnamed = (await listed(customerId, { document_type: 'other' }))[0]!;
    expect(unnamed.image_name).toMatch(/^other-[\w-]{22}\.jpg$/);
    expect(await listed(customerId, { image_name: unnamed.image_name })).toHaveLength(1);
  });
  test('leaves the old one’s bytes for a month, and no longer; its line stays', async () => {
    const customerId = await desk.draft();
    const old = (await keep(customerId, 'pan')).data.document_id;
    await keep(customerId, 'pan');
    const fileOfOld = async () => (await desk.files()).filter((key) => key.endsWith(old)).length;
    await forgetOld(desk.services.db, 20);
    await forget(desk.services.db, [20]);
    expect(await fileOfOld()).toBe(1);
    await expect(
      desk.services.db.transaction(20, (tx) =>
        tx.query('update documents set gone_at = kist_now(), key_sealed = null where document_id = $1', [old]),
      ),
    ).rejects.toThrow(/just replaced/);
    await later((LIMITS.documentsReplacedKeptDays - 1) * 86_400 + 3600);
    await forgetOld(desk.services.db, 20);
    expect((await desk.rows(customerId)).find(({ document_id }) => document_id === old)).toMatchObject({ gone: false });
    await later(86_400);
    expect((await forgetOld(desk.services.db, 20)).documents).toBeGreaterThanOrEqual(1);
    await forget(desk.services.db, [20]);
    expect(await fileOfOld()).toBe(0);
    expect((await desk.rows(customerId)).find(({ document_id }) => document_id === old)).toMatchObject({ gone: true });
    expect((await desk.http.call('getDocument', { token: desk.token, query: { document_id: old } })).code).toBe(
      'NOT_FOUND',
    );
  });
  test('never makes the signature go that a consent refers to', async () => {
    const customerId = await desk.draft();
    const signed = (await keep(customerId, 'signature')).data.document_id;
    await desk.sell(customerId);
    await keep(customerId, 'signature');
    await later(LIMITS.documentsReplacedKeptDays * 86_400 + 60);
    await forgetOld(desk.services.db, 20);
    expect((await desk.rows(customerId)).find(({ document_id }) => document_id === signed)).toMatchObject({
      gone: false,
    });
  });
  test('a draft that is deleted takes its files with it', async () => {
    const customerId = await desk.draft();
    const { data } = await keep(customerId, 'pan');
    await desk.http.call('deleteDraft', { token: desk.token, body: { customer_id: customerId } });
    await forget(desk.services.db, [20]);
    expect((await desk.files()).filter((key) => key.endsWith(data.document_id))).toEqual([]);
  });
});

describe('a witness', () => {
  const ask = (flag: boolean) =>
    desk.db.asOwner(
      `update organisations set flags = jsonb_build_object('witness_signature_layout', $1::boolean) where org_id = 20`,
      [flag],
    );
  test('signs where the organisation asks for one, through either door, and nowhere else', async () => {
    const customerId = await desk.draft();
    const both = async () => [
      (await desk.upload('uploadWitnessSignature', customerId, drawn)).code,
      (await keep(customerId, 'witness_signature')).code,
    ];
    expect(await both()).toEqual(['WITNESS_NOT_ASKED', 'WITNESS_NOT_ASKED']);
    expect(await desk.rows(customerId)).toEqual([]);
    await ask(true);
    expect(await both()).toEqual([undefined, undefined]);
    expect(await listed(customerId, { document_type: 'witness_signature' })).toHaveLength(1);
    expect((await desk.upload('uploadWitnessSignature', customerId, photo)).status).toBe(200);
    await ask(false);
  });
});

describe('another key of the ring', () => {
  const key = (fill: number) => Buffer.alloc(32, fill);
  test('seals what opens the pictures anew: they open with it alone, and their files were not touched', async () => {
    const customerId = await desk.draft();
    const { data } = await keep(customerId, 'pan');
    const { ports } = desk.services.db;
    const both = createSealer({
      current: 2,
      keys: new Map([
        [1, key(7)],
        [2, key(8)],
      ]),
    });
    const first = await documents.renewKeys(desk.db.operator, 20, both);
    // Rows that were planted above open with no key: they are counted and hold nobody up.
    expect(first.renewed + first.broken).toBe(first.looked_at);
    expect(first.renewed).toBeGreaterThan(0);
    expect(await documents.renewKeys(desk.db.operator, 20, both)).toEqual({ ...first, renewed: 0 });
    const url = await linkOf(data.document_id);
    expect((await desk.get(url)).status).toBe(409);
    expect(await notes('document_damaged', customerId)).toEqual([
      { document_id: data.document_id, type: expect.any(String), link_until: expect.any(String) },
    ]);
    const onlyNew = createSealer({ current: 2, keys: new Map([[2, key(8)]]) });
    const db = desk.services.db.with({ ...ports, documents: { ...ports.documents, sealer: onlyNew } });
    const link = documents.readFileLink(ports.documents.linkKey, url.slice('/files/'.length))!;
    const { bytes } = await documents.openLink(db, link, '');
    expect(bytes.subarray(0, 3)).toEqual(Buffer.from([0xff, 0xd8, 0xff]));
    const lines = await desk.db.asOwner(`select from audit_lines where action = 'document_keys_renewed'`);
    expect(lines).toHaveLength(1);
  });
});
