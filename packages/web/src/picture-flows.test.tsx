// @vitest-environment jsdom
import 'fake-indexeddb/auto';
import { act, fireEvent, render, screen, waitFor } from '@testing-library/react';
import { type ReactNode, useState } from 'react';
import { Provider } from 'react-redux';
import { MemoryRouter } from 'react-router';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { LIMITS } from '@kist/contract/limits';
import type { RetailerProfile } from '@kist/contract/people';
import { outbox } from '#web/offline/app-outbox.ts';
import { store } from '#web/state/storage.ts';
import { makeStore } from '#web/state/store.ts';
import { toast } from '#web/ui/toast.ts';
import { Papers } from '#web/widgets/papers/papers.tsx';
import { hidesNumber, type Slot } from '#web/widgets/papers/slots.ts';
import { ScanSheet } from '#web/widgets/scan/scan-sheet.tsx';
import { Signing } from '#web/widgets/signing.tsx';
import { Picture } from './screens/retailer-profile/picture.tsx';

/** What is wrong with the picture or the browser. */
const FAULTS = {
  'errors.image_read': 'read',
  'errors.image_load': 'load',
  'errors.image_canvas': 'canvas',
  'errors.image_blob': 'blob',
  'errors.TOO_LARGE': 'large',
} as const;
type Fault = (typeof FAULTS)[keyof typeof FAULTS] | 'none';
let fault: Fault = 'none';

/** A picture of a good camera. */
class FakeImage {
  naturalWidth = 4000;
  naturalHeight = 3000;
  onload?: () => void;
  onerror?: () => void;
  src = '';
  constructor() {
    setTimeout(() => (fault === 'load' ? this.onerror?.() : this.onload?.()));
  }
}
/** Reads pictures, and finds nothing in them. */
class FakeDetector {
  static getSupportedFormats = async () => ['code_128'];
  detect = async () => [];
}
/** What was made for sending: its edges, type and quality. */
let made: { width: number; height: number; type: string | undefined; quality: unknown }[] = [];
/** The calls that carried a file. */
let sent: string[] = [];
const pen = {
  fillRect: () => undefined,
  clearRect: () => undefined,
  scale: () => undefined,
  beginPath: () => undefined,
  closePath: () => undefined,
  drawImage: () => undefined,
  measureText: () => ({ width: 100 }),
  fillText: () => undefined,
};

beforeEach(() => {
  [made, sent, fault] = [[], [], 'none'];
  vi.stubGlobal('Image', FakeImage);
  vi.stubGlobal('BarcodeDetector', FakeDetector);
  vi.stubGlobal(
    'ResizeObserver',
    class {
      observe = () => undefined;
      disconnect = () => undefined;
    },
  );
  const readAsDataURL = FileReader.prototype.readAsDataURL;
  vi.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementation(function (this: FileReader, blob) {
    if (fault === 'read') this.onerror?.({} as ProgressEvent<FileReader>);
    else readAsDataURL.call(this, blob);
  });
  vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockImplementation(
    () => (fault === 'canvas' ? null : pen) as never,
  );
  vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation(function (
    this: HTMLCanvasElement,
    done,
    type,
    quality,
  ) {
    made.push({ width: this.width, height: this.height, type, quality });
    if (fault === 'blob') return done(null);
    const blob = new Blob(['small'], { type });
    if (fault === 'large') Object.defineProperty(blob, 'size', { value: LIMITS.uploadBytes + 1 });
    return done(blob);
  });
  store('token', 'T');
  store('user_id', 'sunita');
  vi.stubGlobal('fetch', async (request: Request | string) => {
    if (typeof request === 'string') return new Response('', { status: 404 });
    const isUpload = request.headers.get('content-type')?.startsWith('multipart') ?? false;
    if (isUpload) sent.push(new URL(request.url).pathname);
    return Response.json({ status: 200, response: 'success', message: '', data: isUpload ? { document_id: 'd' } : [] });
  });
});
afterEach(async () => {
  while (toast.current()) toast.close();
  for (const { id } of outbox.entries()) await outbox.discard(id);
  vi.unstubAllGlobals();
});

const file = () => new File(['x'], 'IMG_2041.JPG', { type: 'image/jpeg' });
const show = (page: ReactNode) =>
  render(
    <Provider store={makeStore()}>
      <MemoryRouter>{page}</MemoryRouter>
    </Provider>,
  ).container;

function OnePaper({ first }: { first: Slot }) {
  const [slot, setSlot] = useState<Slot | undefined>(first);
  return <Papers customerId="c" isOpen whose="Asha Kale" slot={slot} onSlot={setSlot} />;
}
/** A picture of the customer's file, from the camera or from a file. */
const paper = (slot: Slot, from: 'camera' | 'file') => async () => {
  const container = show(<OnePaper first={slot} />);
  await screen.findAllByRole('button', { name: 'documents.camera', hidden: true });
  fireEvent.change(container.querySelector(`[data-pick=${from}]`)!, { target: { files: [file()] } });
  // What cannot be opened is said at once; else the picture is cut first, and saved.
  if (fault === 'read' || fault === 'load') return;
  const press = async (name: string) => fireEvent.click(await screen.findByRole('button', { name, hidden: true }));
  await press('documents.save');
  if (hidesNumber(slot)) await press('documents.hidden_already');
};
const signature = (of: 'customer' | 'witness') => async () => {
  show(<Signing customerId="c" of={of} documentId={null} />);
  fireEvent.click(screen.getByRole('button', { name: 'signature.new' }));
  fireEvent.click(screen.getByRole('tab', { name: 'signature.type' }));
  fireEvent.change(screen.getByRole('textbox'), { target: { value: 'Asha Kale' } });
  fireEvent.click(screen.getByRole('button', { name: 'signature.save' }));
};
const shop = { user_id: 'own', has_qr: false, has_signature: false } as unknown as RetailerProfile;
const ofShop = (kind: 'qr' | 'signature') => async () => {
  show(<Picture shop={shop} kind={kind} />);
  fireEvent.change(screen.getByLabelText(`retailers.${kind}`), { target: { files: [file()] } });
};
const scan = async () => {
  const container = show(<ScanSheet open onClose={() => undefined} onImeis={() => undefined} />);
  fireEvent.change(container.querySelector('[type=file]')!, { target: { files: [file()] } });
};

interface Flow {
  /** Up to the moment at which the picture goes. */
  run: () => Promise<void>;
  /** Where it goes; none: it is read here. */
  to?: string;
  type: 'image/jpeg' | 'image/png';
}
const FLOWS: Record<string, Flow> = {
  'Aadhaar, front': {
    run: paper({ type: 'aadhaar', name: 'front' }, 'camera'),
    to: '/api/customer/customer_document',
    type: 'image/jpeg',
  },
  'Aadhaar, back': {
    run: paper({ type: 'aadhaar', name: 'back' }, 'file'),
    to: '/api/customer/customer_document',
    type: 'image/jpeg',
  },
  PAN: { run: paper({ type: 'pan' }, 'file'), to: '/api/customer/customer_document', type: 'image/jpeg' },
  'a further paper': {
    run: paper({ type: 'other', name: 'Light bill' }, 'camera'),
    to: '/api/customer/customer_document',
    type: 'image/jpeg',
  },
  'photo of the customer': {
    run: paper({ type: 'photo' }, 'camera'),
    to: '/upload/update_customer_details',
    type: 'image/jpeg',
  },
  invoice: { run: paper({ type: 'invoice' }, 'file'), to: '/upload/invoice', type: 'image/jpeg' },
  'signature of the customer': { run: signature('customer'), to: '/upload/signature', type: 'image/png' },
  'signature of the witness': { run: signature('witness'), to: '/upload/witness_signature', type: 'image/png' },
  'QR of the shop': { run: ofShop('qr'), to: '/upload/retailer_qr', type: 'image/png' },
  'signature of the shop': { run: ofShop('signature'), to: '/upload/retailer_signature', type: 'image/png' },
  'scan of an IMEI': { run: scan, type: 'image/jpeg' },
};

/** What the person reads, wherever it stands. */
const said = () => [
  toast.current()?.text,
  ...screen.queryAllByRole('alert', { hidden: true }).map((one) => one.textContent),
];

describe.each(Object.entries(FLOWS))('%s', (_, { run, to, type }) => {
  it('is made no larger than 1200 × 1200, at 0.8, before it goes', async () => {
    await run();
    if (to) {
      await waitFor(() => expect(sent).toEqual([to]));
      // That it is kept is said before the next test begins, not in it.
      await waitFor(() => expect(toast.current()).not.toBeNull());
    } else await waitFor(() => expect(made).not.toEqual([]));
    const last = made.at(-1);
    expect(last).toEqual({ width: 1200, height: 900, type, quality: LIMITS.imageQuality });
  });
  it.each(Object.entries(FAULTS))('says %s, and nothing goes', async (key, which) => {
    fault = which;
    await run();
    await waitFor(() => expect(said()).toContain(key));
    expect(sent).toEqual([]);
  });
});

describe('no other flow', () => {
  const sources = Object.entries(
    import.meta.glob<string>(['./**/*.{ts,tsx}', '!./**/*.test.{ts,tsx}'], {
      query: '?raw',
      import: 'default',
      eager: true,
    }),
  );
  const having = (what: RegExp) => sources.flatMap(([name, text]) => (what.test(text) ? [name] : [])).toSorted();
  it('takes a file', () => {
    expect(having(/type="file"|type: 'file'/)).toEqual([
      './screens/retailer-profile/picture.tsx',
      './widgets/papers/pick-buttons.tsx',
      './widgets/scan/scan-sheet.tsx',
    ]);
  });
  it('makes a picture of a canvas: the one door, and receipts, which are only handed on', () => {
    expect(having(/\.toBlob\(|\.toDataURL\(/)).toEqual(['./native/images.ts', './widgets/collect/paper-picture.ts']);
  });
  it('sends one', () => {
    expect(having(/'upload[A-Z]/)).toEqual([
      './screens/add-customer/use-submit.ts',
      './screens/retailer-profile/picture.tsx',
      './widgets/papers/waiting.ts',
      './widgets/signing.tsx',
    ]);
  });
});

describe('a signature that is drawn', () => {
  it('goes through the same door: a big screen’s canvas is larger than a picture may be', async () => {
    const { canvasPng } = await import('#web/native/images.ts');
    const canvas = document.createElement('canvas');
    await act(() => canvasPng(canvas));
    expect(made.at(-1)).toMatchObject({ width: 1200, height: 900, type: 'image/png' });
    await expect(canvasPng(null)).rejects.toMatchObject({ key: 'errors.image_canvas' });
  });
});
