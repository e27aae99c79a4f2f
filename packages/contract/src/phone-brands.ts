/** What most phones sold on instalments in India are; written as their makers write them; no language has other words for them. */
export const PHONE_BRANDS = [
  'Samsung',
  'Vivo',
  'Redmi',
  'Xiaomi',
  'Realme',
  'Oppo',
  'Motorola',
  'POCO',
  'Infinix',
  'Tecno',
  'iQOO',
  'OnePlus',
  'Lava',
  'Nokia',
  'itel',
  'Apple',
] as const;
