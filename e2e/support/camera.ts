import type { Page } from '@playwright/test';

/** The phone's own camera and reader of bar codes, which see this number. */
export async function withCamera(page: Page, imei: string): Promise<void> {
  await page.addInitScript((seen) => {
    navigator.mediaDevices.getUserMedia = async () => document.createElement('canvas').captureStream(5);
    const sees = class {
      detect = async () => [{ rawValue: seen, format: 'code_128' }];
      static getSupportedFormats = async () => ['code_128', 'qr_code'];
    };
    Object.assign(window, { BarcodeDetector: sees });
    HTMLMediaElement.prototype.play = async () => undefined;
    Object.defineProperty(HTMLMediaElement.prototype, 'readyState', { get: () => 4 });
  }, imei);
}
