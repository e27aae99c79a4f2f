import { LIMITS } from '@kist/contract/limits';

/** Latitude and longitude as strings; both 'Bypassed' when the phone would not or could not say. */
export interface Place {
  latitude: string;
  longitude: string;
}
const BYPASSED: Place = { latitude: 'Bypassed', longitude: 'Bypassed' };

/** Never rejects and never waits longer than the time-out; no cached position. */
export function currentPlace(): Promise<Place> {
  return new Promise((resolve) => {
    if (!navigator.geolocation) return resolve(BYPASSED);
    // A permission question left open does not count towards the browser's own time-out.
    const timer = setTimeout(() => resolve(BYPASSED), LIMITS.geolocationTimeoutMs + 500);
    const done = (place: Place) => {
      clearTimeout(timer);
      resolve(place);
    };
    navigator.geolocation.getCurrentPosition(
      ({ coords }) => done({ latitude: String(coords.latitude), longitude: String(coords.longitude) }),
      () => done(BYPASSED),
      { timeout: LIMITS.geolocationTimeoutMs, enableHighAccuracy: true, maximumAge: 0 },
    );
  });
}
