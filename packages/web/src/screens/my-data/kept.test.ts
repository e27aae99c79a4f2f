import { expect, it } from 'vitest';
import { type Kept, keptCounts, keptFile } from './kept.ts';

const KEPT = {
  profile: {
    customer: { first_name: 'Asha' },
    device: { imei1: '356938035643809' },
    exchanges: [{ imei1: '490154203237518' }],
    lost_reports: [],
    consent_missing: ['code'],
    agreement: { agreement_no: 'A-7' },
    disputes: [{ dispute_id: 'd', moves: [{ text: 'I had paid' }] }],
    lock: { level: 0 },
    lock_timeline: { events: [] },
    edit_actions: ['IMEI_EDIT'],
    steps: [{ step: 'plan', is_done: true }],
  },
  documents: [{ document_id: 'p', document_type: 'photo', url: '/files/x', expires_at: '2026-01-01' }],
  emi: { instalments: [{ no: 1 }, { no: 2 }, { no: 3 }], payments: [{ receipt_no: 'R-1' }], charges: [] },
  messages: 'https://kist.example/n/abc',
} as unknown as Kept;

it('the file has the agreement with its EMIs, payments, complaints, phones before and the page of messages; no buttons of the app', () => {
  const { profile, documents, emi, messages } = KEPT;
  const { edit_actions: _edits, steps: _steps, ...kept } = profile;
  const named = documents.map(({ document_id, document_type }) => ({ document_id, document_type }));
  expect(JSON.parse(keptFile(KEPT))).toEqual({ ...kept, documents: named, emi, messages });
});

it('what only the file has in full is counted', () => {
  const counts = [
    ['my_data.emis', 3],
    ['emi.payments', 1],
    ['my_data.complaints', 1],
  ];
  expect(keptCounts(KEPT)).toEqual(counts);
});
