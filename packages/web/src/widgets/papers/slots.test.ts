import { describe, expect, it } from 'vitest';
import { slotKeys } from './slot-title.ts';
import { further, hidesNumber, isMadeUp, type Kept, pictureIn, SLOTS } from './slots.ts';

const kept = (document_type: Kept['document_type'], image_name: string): Kept => ({
  document_id: `${document_type} ${image_name}`,
  document_type,
  image_name,
  mime: 'image/jpeg',
  bytes: 1000,
  created_at: '2026-11-20T10:00:00Z',
  url: '/files/x',
  expires_at: '2026-11-20T10:01:00Z',
});
const all = [
  kept('aadhaar', 'back'),
  kept('pan', 'pan-AZ.jpg'),
  kept('other', 'rent'),
  kept('aadhaar', 'scan 1'),
  kept('signature', 'signature-AZ.png'),
  kept('other', 'other-AZ.jpg'),
];

describe('the places of pictures', () => {
  it('have the picture of their type, and of their side where there are sides', () => {
    const found = SLOTS.map((slot) => pictureIn(slot, all)?.image_name);
    expect(found).toEqual([undefined, undefined, 'back', 'pan-AZ.jpg', undefined]);
  });
  it('leave nothing out but signatures, which have screens of their own', () => {
    expect(further(all).map(({ image_name }) => image_name)).toEqual(['rent', 'scan 1', 'other-AZ.jpg']);
  });
  it('are not called what the server called them for want of a name', () => {
    expect(isMadeUp({ type: 'other', name: `other-${'A'.repeat(22)}.jpg` })).toBe(true);
    expect(isMadeUp({ type: 'other', name: 'other-rent.jpg' })).toBe(false);
  });
  it('are called by their type and side', () => {
    expect(slotKeys({ type: 'aadhaar', name: 'front' })).toEqual({
      type: 'my_data.type.aadhaar',
      side: 'documents.front',
    });
    expect(slotKeys({ type: 'other', name: 'rent' })).toEqual({ type: 'my_data.type.other', side: null });
  });
  it('of which a number is to be hidden are the two sides of an Aadhaar, and no others', () => {
    expect(SLOTS.filter(hidesNumber)).toEqual([
      { type: 'aadhaar', name: 'front' },
      { type: 'aadhaar', name: 'back' },
    ]);
  });
});
