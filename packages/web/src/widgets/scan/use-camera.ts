import { useEffect, useRef, useState, type RefObject } from 'react';
import { readCodes } from './scanner.ts';
import { imeisIn } from './scan-text.ts';

/** Four looks a second: enough for a hand that moves, cool enough for a cheap phone. */
const LOOK_EVERY_MS = 250;

/** 'blocked': not allowed, or there is no camera; 'failed': the reader could not be loaded. */
export type CameraState = 'starting' | 'looking' | 'blocked' | 'failed';

/** Shows the back camera in the video and looks for IMEIs until some are found; the camera goes off when the screen is left. */
export function useCamera(onImeis: (imeis: readonly string[]) => void): {
  video: RefObject<HTMLVideoElement | null>;
  state: CameraState;
} {
  const video = useRef<HTMLVideoElement>(null);
  const [state, setState] = useState<CameraState>('starting');
  useEffect(() => {
    let isCurrent = true;
    let stream: MediaStream | undefined;
    let timer: ReturnType<typeof setTimeout>;
    const look = async () => {
      const element = video.current;
      if (!isCurrent || !element) return;
      try {
        const imeis = element.readyState >= 2 ? imeisIn(await readCodes(element)) : [];
        if (!isCurrent) return;
        if (imeis.length > 0) return onImeis(imeis);
      } catch {
        if (isCurrent) setState('failed');
        return;
      }
      timer = setTimeout(() => void look(), LOOK_EVERY_MS);
    };
    const start = async () => {
      try {
        stream = await navigator.mediaDevices.getUserMedia({
          video: { facingMode: 'environment', width: { ideal: 1280 }, height: { ideal: 720 } },
        });
      } catch {
        if (isCurrent) setState('blocked');
        return;
      }
      if (!isCurrent || !video.current) return stop();
      video.current.srcObject = stream;
      await video.current.play().catch(() => undefined);
      setState('looking');
      await look();
    };
    const stop = () => stream?.getTracks().forEach((track) => track.stop());
    void start();
    return () => {
      isCurrent = false;
      clearTimeout(timer);
      stop();
    };
  }, [onImeis]);
  return { video, state };
}
