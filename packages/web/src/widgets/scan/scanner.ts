interface Detector {
  detect(source: ImageBitmapSource): Promise<{ rawValue: string }[]>;
}
interface DetectorClass {
  new (options: { formats: string[] }): Detector;
  getSupportedFormats(): Promise<string[]>;
}

/** What makers print an IMEI in. */
const FORMATS = ['code_128', 'code_39', 'data_matrix', 'qr_code'];

/** The browser's own reader where it knows the bars of phone boxes (Chrome on Android). */
async function ownDetector(): Promise<Detector | undefined> {
  const own = (globalThis as { BarcodeDetector?: DetectorClass }).BarcodeDetector;
  const known = await own?.getSupportedFormats().catch((): string[] => []);
  if (!own || !known?.includes('code_128')) return undefined;
  return new own({ formats: FORMATS.filter((format) => known.includes(format)) });
}

/** Our reader: WebAssembly (1 MB), fetched from our own server the first time someone scans without the browser's help. */
async function ourDetector(): Promise<Detector> {
  const [{ BarcodeDetector, prepareZXingModule }, { default: wasmUrl }] = await Promise.all([
    import('barcode-detector/ponyfill'),
    import('zxing-wasm/reader/zxing_reader.wasm?url'),
  ]);
  prepareZXingModule({ overrides: { locateFile: () => wasmUrl } });
  return new (BarcodeDetector as unknown as DetectorClass)({ formats: FORMATS });
}

let opened: Promise<Detector> | undefined;

/** @returns the texts of all codes in a picture. @throws when the reader cannot be fetched (no internet); the next call tries again. */
export async function readCodes(source: ImageBitmapSource): Promise<string[]> {
  opened ??= ownDetector().then((own) => own ?? ourDetector());
  try {
    const reader = await opened;
    return (await reader.detect(source)).map((code) => code.rawValue);
  } catch (error) {
    opened = undefined;
    throw error;
  }
}
