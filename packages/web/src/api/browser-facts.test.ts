import { expect, it } from 'vitest';
import { deviceName } from './browser-facts.ts';

it.each([
  ['Linux; Android 13; Redmi 13C Build/TP1A', 'Redmi 13C'],
  ['Linux; Android 10; K', 'Android'],
  ['Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/156.0 Safari/537.36', 'Linux'],
  ['Windows NT 10.0; Win64; x64', 'Windows'],
  ['iPhone; CPU iPhone OS 17_5 like Mac OS X', 'iPhone'],
  ['{"brand":"Vivo","model":"Y28"}', 'Vivo Y28'],
  ['something else', 'something else'],
  ['', ''],
])('a device is called by its short name: %s', (details, name) => {
  expect(deviceName(details)).toBe(name);
});
