import { useId, useRef, useState, type KeyboardEvent, type PointerEvent, type ReactNode, type RefObject } from 'react';
import { useTranslation } from 'react-i18next';
import type { Part } from '#web/native/images.ts';
import { Button } from '#web/ui/button.tsx';
import { cx } from '#web/ui/cx.ts';
import { Tabs } from '#web/ui/tabs.tsx';
import { arrowOf, between, CORNERS, type Corner, type Edit, LEAST, moveCorner, movePart, NEW_BOX } from './parts.ts';

type Mode = 'crop' | 'hide';
interface EditorProps {
  source: string;
  edit: Edit;
  onEdit: (edit: Edit) => void;
  /** Begins with the black boxes: on this paper stands a number that is to be hidden. */
  hidesNumber: boolean;
}

/** Cuts a picture and paints numbers over, by finger or with the arrow keys. Nothing is drawn into the picture before it is saved. */
export function Editor(props: EditorProps) {
  const { t } = useTranslation();
  const [mode, setMode] = useState<Mode>(props.hidesNumber ? 'hide' : 'crop');
  return (
    <Tabs
      label={t('documents.edit')}
      tabs={[
        { id: 'hide', label: t('documents.hide') },
        { id: 'crop', label: t('documents.crop') },
      ]}
      at={mode}
      onChange={setMode}
    >
      <div className="grid gap-3">
        <p className="text-sm text-ink-2">
          {t(
            mode === 'crop'
              ? 'documents.crop_hint'
              : props.hidesNumber
                ? 'documents.hide_aadhaar'
                : 'documents.hide_hint',
          )}
        </p>
        {mode === 'crop' ? <Cropping {...props} /> : <Hiding {...props} />}
      </div>
    </Tabs>
  );
}

/** The picture whole, and a layer over it that is exactly as large. */
function Stage(
  props: {
    source: string;
    alt: string;
    layer: RefObject<HTMLDivElement | null>;
    children: ReactNode;
  } & Partial<Dragging>,
) {
  const { source, alt, layer, children, ...dragging } = props;
  return (
    <div className="mx-auto w-fit max-w-full">
      <div ref={layer} className="relative touch-none overflow-hidden rounded-lg bg-white select-none" {...dragging}>
        <img src={source} alt={alt} draggable={false} className="block max-h-[52dvh] max-w-full" />
        {children}
      </div>
    </div>
  );
}

const shareOf = (part: Part) => ({
  left: `${part.x * 100}%`,
  top: `${part.y * 100}%`,
  width: `${part.width * 100}%`,
  height: `${part.height * 100}%`,
});

interface Dragging {
  onPointerDown: (event: PointerEvent) => void;
  onPointerMove: (event: PointerEvent) => void;
  onPointerUp: (event: PointerEvent) => void;
  onPointerCancel: (event: PointerEvent) => void;
}

/** Follows one finger. @param on.move is told how far it went since the last time, in shares of the layer */
function useDrag(layer: RefObject<HTMLDivElement | null>, move: (dx: number, dy: number) => void): Dragging {
  const last = useRef<{ x: number; y: number } | null>(null);
  const end = () => {
    last.current = null;
  };
  return {
    onPointerDown: (event) => {
      event.stopPropagation();
      event.currentTarget.setPointerCapture(event.pointerId);
      last.current = { x: event.clientX, y: event.clientY };
    },
    onPointerMove: (event) => {
      const box = layer.current?.getBoundingClientRect();
      if (!last.current || !box) return;
      move((event.clientX - last.current.x) / box.width, (event.clientY - last.current.y) / box.height);
      last.current = { x: event.clientX, y: event.clientY };
    },
    onPointerUp: end,
    onPointerCancel: end,
  };
}

function Cropping({ source, edit, onEdit }: EditorProps) {
  const { t } = useTranslation();
  const layer = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const { crop } = edit;
  return (
    <>
      <Stage source={source} alt={t('documents.picture')} layer={layer}>
        {edit.boxes.map((box) => (
          <span key={JSON.stringify(box)} aria-hidden className="absolute bg-[#000]" style={shareOf(box)} />
        ))}
        <span
          aria-hidden
          className="pointer-events-none absolute border-2 border-white shadow-[0_0_0_9999px_#000000a6]"
          style={shareOf(crop)}
        />
        {CORNERS.map((corner) => (
          <CornerHandle
            key={corner}
            corner={corner}
            crop={crop}
            layer={layer}
            hintId={hintId}
            onMove={(dx, dy) => onEdit({ ...edit, crop: moveCorner(crop, corner, dx, dy) })}
          />
        ))}
      </Stage>
      <p id={hintId} className="sr-only">
        {t('documents.keys')}
      </p>
    </>
  );
}

function CornerHandle(props: {
  corner: Corner;
  crop: Part;
  layer: RefObject<HTMLDivElement | null>;
  hintId: string;
  onMove: (dx: number, dy: number) => void;
}) {
  const { corner, crop, layer, hintId, onMove } = props;
  const { t } = useTranslation();
  const drag = useDrag(layer, onMove);
  const x = corner.endsWith('w') ? crop.x : crop.x + crop.width;
  const y = corner.startsWith('n') ? crop.y : crop.y + crop.height;
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrowOf(event);
    if (!arrow) return;
    event.preventDefault();
    onMove(arrow.dx, arrow.dy);
  };
  return (
    <button
      type="button"
      aria-label={t(`documents.corner_${corner}`)}
      aria-describedby={hintId}
      onKeyDown={onKeyDown}
      {...drag}
      className={cx(
        'absolute grid size-12 touch-none',
        corner.endsWith('w') ? 'justify-items-start' : '-translate-x-full justify-items-end',
        corner.startsWith('n') ? 'items-start' : '-translate-y-full items-end',
      )}
      style={{ left: `${x * 100}%`, top: `${y * 100}%` }}
    >
      <span aria-hidden className="size-5 rounded-full border-2 border-white bg-accent shadow-[0_0_0_1px_#000]" />
    </button>
  );
}

/** Draws a part with one finger. @param done is told of each that came of a drag */
function useDrawing(layer: RefObject<HTMLDivElement | null>, done: (part: Part) => void) {
  const [drawn, setDrawn] = useState<Part>();
  const begun = useRef<{ x: number; y: number } | null>(null);
  const at = (event: PointerEvent) => {
    const box = layer.current!.getBoundingClientRect();
    return { x: (event.clientX - box.left) / box.width, y: (event.clientY - box.top) / box.height };
  };
  const end = () => {
    begun.current = null;
    setDrawn(undefined);
  };
  const dragging: Dragging = {
    onPointerDown: (event) => {
      event.currentTarget.setPointerCapture(event.pointerId);
      begun.current = at(event);
    },
    onPointerMove: (event) => {
      if (begun.current) setDrawn(between(begun.current, at(event)));
    },
    onPointerUp: (event) => {
      const part = begun.current && between(begun.current, at(event));
      end();
      if (part) done(part);
    },
    onPointerCancel: end,
  };
  return { drawn, dragging };
}

function Hiding({ source, edit, onEdit }: EditorProps) {
  const { t } = useTranslation();
  const layer = useRef<HTMLDivElement>(null);
  const hintId = useId();
  const { boxes } = edit;
  const setBoxes = (next: readonly Part[]) => onEdit({ ...edit, boxes: next });
  const { drawn, dragging } = useDrawing(layer, (box) => setBoxes([...boxes, box]));
  return (
    <>
      <Stage source={source} alt={t('documents.picture')} layer={layer} {...dragging}>
        {boxes.map((box, index) => (
          <BlackBox
            // A box has no name but its number.
            key={index}
            no={index + 1}
            box={box}
            layer={layer}
            hintId={hintId}
            onChange={(next) => setBoxes(boxes.map((other, place) => (place === index ? next : other)))}
            onRemove={() => setBoxes(boxes.filter((_other, place) => place !== index))}
          />
        ))}
        {drawn && <span aria-hidden className="absolute bg-[#000]" style={shareOf(drawn)} />}
      </Stage>
      <p id={hintId} className="sr-only">
        {t('documents.box_keys')}
      </p>
      <div className="flex flex-wrap gap-2 *:flex-1">
        <Button tone="plain" icon="plus" onClick={() => setBoxes([...boxes, NEW_BOX])}>
          {t('documents.add_box')}
        </Button>
        <Button tone="plain" icon="trash" disabled={boxes.length === 0} onClick={() => setBoxes(boxes.slice(0, -1))}>
          {t('documents.remove_box')}
        </Button>
      </div>
    </>
  );
}

/** One black box: dragged by finger, moved by arrows, made larger and smaller by + and −, taken away by Delete. */
function BlackBox(props: {
  no: number;
  box: Part;
  layer: RefObject<HTMLDivElement | null>;
  hintId: string;
  onChange: (box: Part) => void;
  onRemove: () => void;
}) {
  const { no, box, layer, hintId, onChange, onRemove } = props;
  const { t } = useTranslation();
  const drag = useDrag(layer, (dx, dy) => onChange(movePart(box, dx, dy)));
  const grow = (by: number) =>
    onChange({
      ...box,
      width: Math.min(Math.max(box.width + by, LEAST), 1 - box.x),
      height: Math.min(Math.max(box.height + by / 2, LEAST / 2), 1 - box.y),
    });
  const onKeyDown = (event: KeyboardEvent) => {
    const arrow = arrowOf(event);
    if (arrow) onChange(movePart(box, arrow.dx, arrow.dy));
    else if (event.key === 'Delete' || event.key === 'Backspace') onRemove();
    else if (event.key === '+' || event.key === '=') grow(0.02);
    else if (event.key === '-') grow(-0.02);
    else return;
    event.preventDefault();
  };
  return (
    <button
      type="button"
      aria-label={t('documents.box', { no })}
      aria-describedby={hintId}
      onKeyDown={onKeyDown}
      {...drag}
      className="absolute touch-none bg-[#000] outline-offset-2"
      style={shareOf(box)}
    />
  );
}
