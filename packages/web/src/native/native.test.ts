// @vitest-environment jsdom
import { afterEach, describe, expect, it, vi } from 'vitest';
import { askShell } from './bridge.ts';
import { currentPlace } from './geolocation.ts';
import { compressImage, fitInto } from './images.ts';
import { telUrl, whatsAppUrl } from './share.ts';

afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe('the native shell', () => {
  it('is asked by its scheme and answers when it likes', () => {
    const opened: string[] = [];
    askShell('Mozilla/5.0 (Linux; Android 13; Redmi; wv) Chrome/120', (url) => opened.push(url));
    expect(opened).toEqual(['kist://device-details']);
    expect(localStorage.getItem('deviceDetails')).toBeNull();
    window.onDeviceDetails?.('{"platform":"Android","model":"Redmi 13C"}');
    expect(localStorage.getItem('deviceDetails')).toContain('Redmi 13C');
    expect(localStorage.getItem('isAndroid')).toBe('true');
  });
  it('is not asked in a plain browser, and nonsense is left aside', () => {
    const opened: string[] = [];
    askShell('Mozilla/5.0 (X11; Linux x86_64) Chrome/120 Safari/537.36', (url) => opened.push(url));
    window.onDeviceDetails?.('not json');
    expect(opened).toEqual([]);
    expect(localStorage.getItem('deviceDetails')).toBeNull();
  });
});

describe('the place', () => {
  const bypassed = { latitude: 'Bypassed', longitude: 'Bypassed' };
  const stubPosition = (getCurrentPosition: Geolocation['getCurrentPosition']) =>
    vi.stubGlobal('navigator', { geolocation: { getCurrentPosition } });
  it('is two strings, asked with high accuracy, 5000 ms and no cached position', async () => {
    let asked: PositionOptions | undefined;
    stubPosition((done, _, options) => {
      asked = options;
      done({ coords: { latitude: 19.9975, longitude: 73.7898 } } as GeolocationPosition);
    });
    expect(await currentPlace()).toEqual({ latitude: '19.9975', longitude: '73.7898' });
    expect(asked).toEqual({ timeout: 5000, enableHighAccuracy: true, maximumAge: 0 });
  });
  it("is 'Bypassed' when denied, when there is none, and when the question stays open", async () => {
    stubPosition((_, fail) => fail?.({ code: 1 } as GeolocationPositionError));
    expect(await currentPlace()).toEqual(bypassed);
    vi.stubGlobal('navigator', {});
    expect(await currentPlace()).toEqual(bypassed);
    vi.useFakeTimers();
    stubPosition(() => undefined);
    const place = currentPlace();
    await vi.advanceTimersByTimeAsync(5501);
    expect(await place).toEqual(bypassed);
  });
});

describe('a photo', () => {
  class FakeImage {
    naturalWidth = 4000;
    naturalHeight = 3000;
    onload?: () => void;
    onerror?: () => void;
    static breaks = false;
    set src(_: string) {
      queueMicrotask(() => (FakeImage.breaks ? this.onerror?.() : this.onload?.()));
    }
  }
  const withImage = (breaks = false) => {
    FakeImage.breaks = breaks;
    vi.stubGlobal('Image', FakeImage);
  };
  const withContext = (context: object | null) =>
    vi.spyOn(HTMLCanvasElement.prototype, 'getContext').mockReturnValue(context as never);
  const withBlob = (blob: Blob | null) =>
    vi.spyOn(HTMLCanvasElement.prototype, 'toBlob').mockImplementation((done) => done(blob));
  const file = new Blob(['x'], { type: 'image/jpeg' });
  const pen = { fillRect: () => undefined, drawImage: () => undefined };

  it('fits into 1200 × 1200, keeps its shape and never grows', () => {
    expect(fitInto(4000, 3000, 1200)).toEqual({ width: 1200, height: 900 });
    expect(fitInto(1000, 5000, 1200)).toEqual({ width: 240, height: 1200 });
    expect(fitInto(300, 200, 1200)).toEqual({ width: 300, height: 200 });
  });
  it('comes out as JPEG of quality 0.8', async () => {
    withImage();
    withContext(pen);
    const toBlob = withBlob(new Blob(['small']));
    await compressImage(file);
    expect(toBlob).toHaveBeenCalledWith(expect.any(Function), 'image/jpeg', 0.8);
  });
  it('is cut before it is made smaller, and what is to be hidden is black where it stands in what is left', async () => {
    withImage();
    const drawn: number[][] = [];
    const painted: (readonly [string, number[]])[] = [];
    const brush = {
      fillStyle: '',
      drawImage: (_image: unknown, ...place: number[]) => drawn.push(place),
      fillRect: (...place: number[]) => painted.push([brush.fillStyle, place]),
    };
    withContext(brush);
    withBlob(new Blob(['small']));
    // The right half of 4000 × 3000, so 2000 × 3000, becomes 800 × 1200: four tenths.
    const crop = { x: 0.5, y: 0, width: 0.5, height: 1 };
    const boxes = [{ x: 0.75, y: 0.5, width: 0.125, height: 0.1 }];
    await compressImage(file, { crop, boxes });
    expect(drawn).toEqual([[2000, 0, 2000, 3000, 0, 0, 800, 1200]]);
    expect(painted).toEqual([
      ['#fff', [0, 0, 800, 1200]],
      ['#000', [400, 600, 200, 120]],
    ]);
  });
  it('names its four errors, and what is still above 5 MB', async () => {
    withImage();
    withContext(null);
    await expect(compressImage(file)).rejects.toThrow('Canvas context is not supported');
    withContext(pen);
    withBlob(null);
    await expect(compressImage(file)).rejects.toThrow('Error creating blob');
    withBlob({ size: 5 * 1024 * 1024 + 1 } as Blob);
    await expect(compressImage(file)).rejects.toMatchObject({ key: 'errors.TOO_LARGE' });
    withImage(true);
    await expect(compressImage(file)).rejects.toThrow('Error loading image');
    vi.spyOn(FileReader.prototype, 'readAsDataURL').mockImplementation(function (this: FileReader) {
      this.onerror?.({} as ProgressEvent<FileReader>);
    });
    await expect(compressImage(file)).rejects.toThrow('Error reading file');
  });
});

describe('links out', () => {
  it('open WhatsApp and the dialler by number', () => {
    expect(whatsAppUrl('₹4,281 & more', '+919876543210')).toBe(
      'https://wa.me/919876543210?text=%E2%82%B94%2C281%20%26%20more',
    );
    expect(whatsAppUrl('hi')).toBe('https://wa.me/?text=hi');
    expect(telUrl('+91 98765-43210')).toBe('tel:+919876543210');
  });
});
