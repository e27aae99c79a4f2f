import { constants, deflateRawSync } from 'node:zlib';
import { beforeAll, describe, expect, test } from 'vitest';
import { ENDPOINTS } from '@kist/contract/endpoints';
import { LIMITS } from '@kist/contract/limits';
import { readJpeg, writeJpeg } from '#server/documents/jpeg.ts';
import { imageMime } from '#server/documents/rules.ts';
import { readPng, writePng } from '#server/platform/png.ts';
import { type Sent, useDocumentDesk } from '#test/document-desk.ts';
import { png } from '#test/png-file.ts';

/** Files that are not what they say, or more than they say, brought to the calls that take pictures. */
const desk = useDocumentDesk();
let customerId: string;
beforeAll(async () => {
  customerId = await desk.draft();
});

const edge = 64;
const pixels = { width: edge, height: edge, data: new Uint8Array(edge * edge * 4).fill(180) };
const jpeg = await writeJpeg(pixels, 0.9);
const drawn = writePng(pixels);

/** Put together here, so that this file is none for a scanner. */
const EICAR = ['X5O!P%@AP[4\\PZX54(P^)7CC)7}', 'EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*'].join('$');
const HTML = '<script>alert(document.domain)</script>';
const PDF = '%PDF-1.7\n1 0 obj<</Type/Catalog/OpenAction<</S/JavaScript/JS(app.alert(1))>>>>endobj\n%%EOF';
const ZIP = Buffer.from('PK\u0003\u0004\u0014\u0000\u0008\u0000META-INF/MANIFEST.MFPK\u0005\u0006', 'latin1');

/** A segment behind the start of a JPEG. */
function withSegment(marker: number, body: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0]);
  head.writeUInt16BE(body.length + 2, 2);
  return Buffer.concat([jpeg.subarray(0, 2), head, body, jpeg.subarray(2)]);
}
/** EXIF as a phone writes it: who made it, and 19°59′51″ N. */
function gpsExif(): Buffer {
  const entry = (tag: number, type: number, count: number, value: number) => {
    const bytes = Buffer.alloc(12);
    bytes.writeUInt16BE(tag, 0);
    bytes.writeUInt16BE(type, 2);
    bytes.writeUInt32BE(count, 4);
    bytes.writeUInt32BE(value, 8);
    return bytes;
  };
  const ifd = (...entries: Buffer[]) => {
    const count = Buffer.alloc(2);
    count.writeUInt16BE(entries.length);
    return Buffer.concat([count, ...entries, Buffer.alloc(4)]);
  };
  const rationals = Buffer.alloc(24);
  [19, 1, 59, 1, 51, 1].forEach((number, index) => rationals.writeUInt32BE(number, index * 4));
  const [ASCII, RATIONAL, LONG] = [2, 5, 4];
  const first = ifd(entry(0x010f, ASCII, 8, 26 + 30), entry(0x8825, LONG, 1, 26 + 38));
  const north = Buffer.from('N\0\0\0').readUInt32BE();
  const gps = ifd(entry(1, ASCII, 2, north), entry(2, RATIONAL, 3, 26 + 38 + 30));
  const gap = Buffer.alloc(26 + 30 - 8 - first.length);
  return Buffer.concat([
    Buffer.from('Exif\0\0MM\0*\0\0\0\u0008', 'latin1'),
    first,
    gap,
    Buffer.from('KISTCAM\0'),
    gps,
    rationals,
  ]);
}
/** 50,000 × 50,000 in black and white: 312 MB of rows in a file of 300 KB, every byte of it as it should be. */
function bomb(): Buffer {
  const width = 50_000;
  const rowBytes = 1 + width / 8;
  const total = rowBytes * width;
  const piece = deflateRawSync(Buffer.alloc(2 ** 20), { finishFlush: constants.Z_FULL_FLUSH });
  const rest = deflateRawSync(Buffer.alloc(total % 2 ** 20), { finishFlush: constants.Z_FULL_FLUSH });
  const sum = Buffer.from([0, 0, 0, 1]);
  sum.writeUInt16BE(total % 65_521, 0);
  const packed = Buffer.concat([
    Buffer.from([0x78, 0x9c]),
    ...Array<Buffer>(Math.floor(total / 2 ** 20)).fill(piece),
    rest,
    Buffer.from([3, 0]),
    sum,
  ]);
  return png({ width, height: width, depth: 1, colour: 0, packed });
}
const heic = Buffer.concat([Buffer.from([0, 0, 0, 24]), Buffer.from('ftypheic\0\0\0\0mif1heic'), Buffer.alloc(200)]);
/** As many bytes as asked for, of a picture that can be read. */
const jpegOf = (bytes: number) => Buffer.concat([jpeg, Buffer.alloc(bytes - jpeg.length)]);

const FILE = { field: 'file' };
const REFUSED: [string, Buffer, { code: string; field?: string; sent?: Sent }][] = [
  [
    'a GIFAR',
    Buffer.concat([Buffer.from('GIF89a\u0001\0\u0001\0\0\0\0,', 'latin1'), ZIP]),
    { code: 'FILE_TYPE_UNSUPPORTED', ...FILE },
  ],
  [
    'a PDF with a script',
    Buffer.from(PDF),
    { code: 'FILE_TYPE_UNSUPPORTED', ...FILE, sent: { filename: 'invoice.pdf', type: 'application/pdf' } },
  ],
  [
    'a PDF that calls itself a photo',
    Buffer.from(PDF),
    { code: 'FILE_TYPE_UNSUPPORTED', ...FILE, sent: { filename: 'a.jpg', type: 'image/jpeg' } },
  ],
  ['the test virus', Buffer.from(EICAR), { code: 'FILE_TYPE_UNSUPPORTED', ...FILE }],
  [
    'SVG',
    Buffer.from(`<svg xmlns="http://www.w3.org/2000/svg">${HTML}</svg>`),
    { code: 'FILE_TYPE_UNSUPPORTED', ...FILE, sent: { filename: 'a.svg', type: 'image/svg+xml' } },
  ],
  [
    'HTML with the name of a photo',
    Buffer.from(HTML),
    { code: 'FILE_TYPE_UNSUPPORTED', ...FILE, sent: { filename: 'a.jpg' } },
  ],
  ['HEIC', heic, { code: 'FILE_TYPE_UNSUPPORTED', ...FILE, sent: { filename: 'IMG_1.HEIC', type: 'image/heic' } }],
  ['nothing', Buffer.alloc(0), { code: 'INVALID_INPUT', ...FILE }],
  [
    'the first bytes of a photo, and HTML',
    Buffer.concat([jpeg.subarray(0, 4), Buffer.from(HTML.repeat(40))]),
    { code: 'FILE_UNREADABLE', ...FILE },
  ],
  ['a photo cut off', jpeg.subarray(0, -40), { code: 'FILE_UNREADABLE', ...FILE }],
  ['a picture cut off', drawn.subarray(0, -20), { code: 'FILE_UNREADABLE', ...FILE }],
  ['a picture of 50,000 × 50,000', bomb(), { code: 'TOO_MANY_PIXELS', ...FILE }],
  ['a byte more than 5 MB', jpegOf(LIMITS.uploadBytes + 1), { code: 'TOO_LARGE' }],
];
const UPLOADS = [
  ['uploadCustomerDocument', { document_type: 'aadhaar' }],
  ['uploadInvoice', {}],
  ['uploadCustomerPhoto', {}],
  ['uploadSignature', {}],
] as const;

describe.each(REFUSED)('%s', (_what, bytes, { code, field, sent }) => {
  test.each(UPLOADS)('%s refuses it and keeps nothing', async (name, fields) => {
    const begun = performance.now();
    const reply = await desk.upload(name, customerId, bytes, { ...sent, fields });
    expect(reply).toMatchObject({ code, ...(field && { errors: [{ path: field }] }) });
    expect(performance.now() - begun).toBeLessThan(5000);
    expect(await desk.rows(customerId)).toEqual([]);
    expect(await desk.files()).toEqual([]);
    expect(await desk.db.asOwner('select from loose_files')).toEqual([]);
  });
});

/** Every call that takes a picture, each with what else it asks for. */
const DOORS: Record<string, Record<string, string>> = {
  uploadCustomerDocument: { document_type: 'aadhaar' },
  uploadInvoice: {},
  uploadCustomerPhoto: {},
  uploadSignature: {},
  uploadWitnessSignature: {},
  uploadRetailerQr: {},
  uploadRetailerSignature: {},
};
test('whichever call takes a photo, what is kept of it says neither where nor by which phone', async () => {
  expect(Object.keys(DOORS).toSorted()).toEqual(
    Object.entries(ENDPOINTS)
      .filter(([, endpoint]) => 'multipart' in endpoint)
      .map(([name]) => name)
      .toSorted(),
  );
  const photo = withSegment(0xe1, gpsExif());
  const traces = ['Exif', 'KISTCAM', 'GPS'];
  expect(traces.slice(0, 2).every((word) => photo.includes(word))).toBe(true);
  await asksForWitness(true);
  for (const [name, fields] of Object.entries(DOORS)) {
    const { data } = await desk.upload(name as 'uploadInvoice', customerId, photo, { fields });
    const kept = 'document_id' in data ? (await desk.opened(data.document_id)).bytes : await pictureOf(name);
    expect([name, imageMime(kept) !== undefined, traces.filter((word) => kept.includes(word))]).toEqual([
      name,
      true,
      [],
    ]);
  }
  await asksForWitness(false);
});
async function pictureOf(call: string): Promise<Buffer> {
  const kind = call === 'uploadRetailerQr' ? 'qr' : 'signature';
  const { data } = await desk.http.call('getUserPicture', { token: desk.token, query: { kind } });
  return Buffer.from(data.data_url.split(',')[1] ?? '', 'base64');
}
const asksForWitness = (flag: boolean) =>
  desk.db.asOwner(
    `update organisations set flags = jsonb_build_object('witness_signature_layout', $1::boolean) where org_id = 20`,
    [flag],
  );

describe('what is a picture and something else besides', () => {
  const hides = ['script', 'alert', 'PDF', 'PK\u0003\u0004', 'EICAR', 'Exif', 'KISTCAM', 'GPS'];
  test.each([
    ['a photo and HTML', Buffer.concat([withSegment(0xfe, Buffer.from(HTML)), Buffer.from(HTML)])],
    ['a photo and a Java archive', Buffer.concat([jpeg, ZIP])],
    ['a photo whose comment is a PDF', withSegment(0xfe, Buffer.from(PDF))],
    ['a photo and the test virus', Buffer.concat([jpeg, Buffer.from(EICAR)])],
    ['a picture and the test virus', Buffer.concat([drawn, Buffer.from(EICAR)])],
    ['a photo that says where it was taken', withSegment(0xe1, gpsExif())],
    ['a photo of exactly 5 MB', jpegOf(LIMITS.uploadBytes)],
  ])('%s: the picture alone is kept', async (_what, bytes) => {
    const reply = await desk.upload('uploadCustomerDocument', customerId, bytes, {
      fields: { document_type: 'other' },
    });
    const { mime, bytes: kept } = await desk.opened(reply.data.document_id);
    expect(mime).toBe('image/jpeg');
    expect(await readJpeg(kept, 10_000)).toMatchObject({ width: edge, height: edge });
    for (const word of hides) expect(kept.includes(Buffer.from(word, 'latin1'))).toBe(false);
    expect(kept.length).toBeLessThan(10_000);
  });

  test('its bytes say what it is, whatever its name and its sender say', async () => {
    const sent = { filename: 'page.html', type: 'text/html', fields: { document_type: 'pan' } };
    const { data } = await desk.upload('uploadCustomerDocument', customerId, drawn, sent);
    const { headers } = await desk.get(
      (await desk.http.call('getDocument', { token: desk.token, query: { document_id: data.document_id } })).data.url,
    );
    expect(headers).toMatchObject({
      'content-type': 'image/jpeg',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'cache-control': 'no-store',
      'content-disposition': 'inline',
    });
  });
  test('a signature keeps its pixels exactly', async () => {
    const { data } = await desk.upload('uploadSignature', customerId, Buffer.concat([drawn, Buffer.from(HTML)]));
    const { bytes } = await desk.opened(data.document_id);
    expect(readPng(bytes, 10_000)).toEqual(pixels);
    expect(bytes.includes('script')).toBe(false);
  });
});

describe('names', () => {
  test.each(['../../../../tmp/kist-escape.jpg', '..\\..\\a.jpg', 'a\u0000.jpg', '/etc/passwd', 'con.jpg', '"; x="'])(
    'of the file, %j, become no path and are not kept',
    async (filename) => {
      const before = (await desk.files()).length;
      const reply = await desk.upload('uploadInvoice', customerId, jpeg, { filename });
      if (reply.status === 200) {
        expect((await desk.rows(customerId)).at(-1)).toMatchObject({ image_name: null });
        expect((await desk.files()).length).toBe(before + 1);
      } else {
        expect([reply.status, reply.code]).toEqual([400, 'INVALID_INPUT']);
        expect((await desk.files()).length).toBe(before);
      }
      for (const key of await desk.files()) expect(key).toMatch(/^documents\/20\/[0-9a-f]{2}\/[0-9a-f-]{36}$/);
    },
  );
  test.each(['../front', 'a/b', 'a\\b', '..', '.hidden', 'x'.repeat(81), '<b>x</b>', '-rf', ''])(
    'of the picture, %j, are refused',
    async (image_name) => {
      const fields = { document_type: 'aadhaar', image_name };
      const reply = await desk.upload('uploadCustomerDocument', customerId, jpeg, { fields });
      expect(reply).toMatchObject({ status: 400, code: 'INVALID_INPUT', errors: [{ path: 'image_name' }] });
    },
  );
  test.each([
    ['aadhaar 1234 5678 9012', 'aadhaar XXXX-9012'],
    ['scan-123456789012.jpg', 'scan-XXXX-9012.jpg'],
    ['आधार १२३४५६७८९०१२', 'आधार XXXX-९०१२'],
    ['front 2', 'front 2'],
    ['\u202Efront', 'front'],
  ])('of the picture are cleaned and hide an Aadhaar number: %j', async (image_name, kept) => {
    const fields = { document_type: 'aadhaar', image_name };
    const { data } = await desk.upload('uploadCustomerDocument', customerId, jpeg, { fields });
    const row = (await desk.rows(customerId)).find(({ document_id }) => document_id === data.document_id);
    expect(row?.image_name).toBe(kept);
  });
});
