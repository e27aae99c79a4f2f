// @vitest-environment jsdom
import { act, fireEvent, render, screen } from '@testing-library/react';
import { Provider } from 'react-redux';
import { expect, it, vi } from 'vitest';
import { shopToday } from '#web/i18n/formats.ts';
import { makeStore } from '#web/state/store.ts';
import { EMPTY, type Values } from './fields.ts';
import { LenderPart } from './lender-part.tsx';
import { lenderName, lenderProblems, type Lenders } from './lenders.ts';
import type { Form } from './use-form.ts';

const LENDERS: Lenders = {
  isKnown: true,
  all: [
    { financer_id: 3, name: 'Gramin Finance', is_open: true },
    { financer_id: 5, name: 'Bank', is_open: false },
  ],
};
const NONE: Lenders = { isKnown: true, all: [] };
const of = (financer: string): Values => ({ ...EMPTY, 'loan.financer_id': financer });

function draw(values: Values, lenders: Lenders) {
  const set = vi.fn<Form['set']>();
  const form = { values, set, sentences: {} } as unknown as Form;
  const { container } = render(
    <Provider store={makeStore()}>
      <LenderPart form={form} lenders={lenders} />
    </Provider>,
  );
  return { set, container };
}

it('nothing is drawn where nobody lends', () => {
  expect(draw(of(''), NONE).container).toBeEmptyDOMElement();
});

it('a financer is chosen, and its loan is asked for; sanctioned today until somebody says otherwise', () => {
  const { set } = draw(of(''), LENDERS);
  expect(screen.queryByLabelText('emi.loan_no')).toBeNull();
  act(() => void fireEvent.change(screen.getByLabelText('emi.financer'), { target: { value: '3' } }));
  expect(set).toHaveBeenCalledWith({ 'loan.financer_id': '3', 'loan.sanctioned_on': shopToday() });
});

it('a day of sanction that was told stands when another financer is chosen', () => {
  const { set } = draw({ ...of('5'), 'loan.sanctioned_on': '2026-01-05' }, LENDERS);
  act(() => void fireEvent.change(screen.getByLabelText('emi.financer'), { target: { value: '3' } }));
  expect(set).toHaveBeenCalledWith({ 'loan.financer_id': '3' });
});

it('what the loan says is asked for beside its financer', () => {
  draw(of('3'), LENDERS);
  for (const label of ['emi.loan_no', 'add.sanctioned', 'add.sanctioned_on'])
    expect(screen.getByLabelText(label)).toBeInTheDocument();
});

it('a financer under other rules says so before anybody signs', () => {
  draw(of('5'), LENDERS);
  expect(screen.getByText('errors.LENDER_RULES_REQUIRED')).toBeInTheDocument();
});

it('a choice that cannot be is told only once the list is known', () => {
  expect(lenderProblems(LENDERS, of(''))).toEqual({});
  expect(lenderProblems(LENDERS, of('3'))).toEqual({});
  expect(lenderProblems(LENDERS, of('5'))).toEqual({ 'loan.financer_id': 'errors.LENDER_RULES_REQUIRED' });
  expect(lenderProblems(LENDERS, of('9'))).toEqual({ 'loan.financer_id': 'field.choice' });
  expect(lenderProblems({ ...NONE, isKnown: false }, of('9'))).toEqual({});
  expect([lenderName(LENDERS, of('3')), lenderName(LENDERS, of(''))]).toEqual(['Gramin Finance', undefined]);
});
