import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { prepareZXingModule, readBarcodes, type ReaderOptions } from 'zxing-wasm/reader';

/** Brightness, one byte a pixel. */
export interface Picture {
  width: number;
  height: number;
  grey: Uint8Array;
}

/** QR codes say nothing of their letters' encoding: ours are UTF-8, and as they were written. */
const OPTIONS: ReaderOptions = { formats: ['QRCode'], characterSet: 'UTF8', textMode: 'Plain', maxNumberOfSymbols: 1 };

let isPrepared = false;
/** The reader's WebAssembly (1 MB) comes from the package beside us, read when the first picture is shown; by itself it would ask the internet. */
function prepare(): void {
  if (isPrepared) return;
  const file = createRequire(import.meta.url).resolve('zxing-wasm/reader/zxing_reader.wasm');
  prepareZXingModule({ overrides: { wasmBinary: new Uint8Array(readFileSync(file)).buffer } });
  isPrepared = true;
}

/** @returns the text of the QR code in a picture (a screenshot, or a photo); undefined when none can be read. */
export async function readQrPicture({ width, height, grey }: Picture): Promise<string | undefined> {
  prepare();
  const data = new Uint8ClampedArray(Uint32Array.from(grey, (value) => (0xff << 24) | (value * 0x01_01_01)).buffer);
  const [code] = await readBarcodes({ width, height, data }, OPTIONS);
  return code?.text || undefined;
}
