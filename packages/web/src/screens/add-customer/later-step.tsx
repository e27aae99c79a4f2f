import { useEffect } from 'react';
import { ConsentStep, type Signing } from './consent-step.tsx';
import { DeviceStep } from './device-step.tsx';
import { EmiStep } from './emi-step.tsx';
import { lenderName, type Lenders } from './lenders.ts';
import type { Agreeing } from './use-agreeing.ts';
import type { Form } from './use-form.ts';
import type { Preview } from './use-preview.ts';

/** What follows the choice of a plan and who buys: a file of its own, which comes while those are filled in. */
export function LaterStep(props: {
  step: 'device' | 'emi' | 'consent';
  form: Form;
  preview: Preview;
  lenders: Lenders;
  keysLeft: number | undefined;
  agreeing: Agreeing;
  signing: Signing;
  /** Its fields are there. */
  onStanding: () => void;
}) {
  const { step, form, preview, lenders, onStanding, ...consent } = props;
  useEffect(onStanding, [onStanding]);
  if (step === 'device') return <DeviceStep form={form} />;
  if (step === 'emi') return <EmiStep form={form} preview={preview} lenders={lenders} />;
  return <ConsentStep form={form} preview={preview} lender={lenderName(lenders, form.values)} {...consent} />;
}
