// @vitest-environment jsdom
import { fireEvent, render, screen } from '@testing-library/react';
import { useState } from 'react';
import { expect, it } from 'vitest';
import { Editor } from './editor.tsx';
import { type Edit, NEW_BOX, WHOLE } from './parts.ts';

/** What was made of the picture, step by step. */
const edits: Edit[] = [];
function Edited({ hidesNumber }: { hidesNumber: boolean }) {
  const [edit, setEdit] = useState<Edit>({ crop: WHOLE, boxes: [] });
  const take = (next: Edit) => (edits.push(next), setEdit(next));
  return <Editor source="/x" edit={edit} onEdit={take} hidesNumber={hidesNumber} />;
}
const last = () => edits.at(-1)!;
const tab = (name: string) => screen.getByRole('tab', { name: `documents.${name}` });
const press = (name: string) => fireEvent.click(screen.getByRole('button', { name: `documents.${name}` }));
const boxes = () => screen.queryAllByRole('button', { name: 'documents.box' });
const key = (on: Element, name: string) => fireEvent.keyDown(on, { key: name });

it('a paper with an Aadhaar number begins with hiding it, another with cutting', () => {
  const { unmount } = render(<Edited hidesNumber />);
  expect(tab('hide')).toHaveAttribute('aria-selected', 'true');
  expect(screen.getByText('documents.hide_aadhaar')).toBeVisible();
  unmount();
  render(<Edited hidesNumber={false} />);
  expect(tab('crop')).toHaveAttribute('aria-selected', 'true');
});

it('what is hidden stays hidden while the picture is cut, and the cut while more is hidden', () => {
  render(<Edited hidesNumber />);
  press('add_box');
  fireEvent.click(tab('crop'));
  key(screen.getByRole('button', { name: 'documents.corner_nw' }), 'ArrowRight');
  expect(last().boxes).toEqual([NEW_BOX]);
  expect(last().crop).toMatchObject({ x: 0.01, width: 0.99 });
  fireEvent.click(tab('hide'));
  press('add_box');
  expect(last().boxes).toHaveLength(2);
  expect(last().crop).toMatchObject({ x: 0.01, width: 0.99 });
});

it('a box is moved, made larger and smaller, and taken away by keys: that one and no other', () => {
  render(<Edited hidesNumber />);
  press('add_box');
  press('add_box');
  key(boxes()[0]!, 'ArrowUp');
  key(boxes()[0]!, '+');
  expect(last().boxes[0]!.y).toBeCloseTo(NEW_BOX.y - 0.01);
  expect(last().boxes[0]!.width).toBeCloseTo(NEW_BOX.width + 0.02);
  expect(last().boxes[1]).toEqual(NEW_BOX);
  key(boxes()[0]!, '-');
  expect(last().boxes[0]!.width).toBeCloseTo(NEW_BOX.width);
  key(boxes()[1]!, 'Delete');
  expect(last().boxes).toHaveLength(1);
  expect(last().boxes[0]!.y).toBeCloseTo(NEW_BOX.y - 0.01);
});

it('the button takes away the box that was added last, and is off where there is none', () => {
  render(<Edited hidesNumber />);
  press('add_box');
  key(boxes()[0]!, 'ArrowUp');
  press('add_box');
  press('remove_box');
  expect(last().boxes).toHaveLength(1);
  expect(last().boxes[0]!.y).toBeCloseTo(NEW_BOX.y - 0.01);
  press('remove_box');
  expect(screen.getByRole('button', { name: 'documents.remove_box' })).toBeDisabled();
});
