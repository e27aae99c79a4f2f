import type { TFunction } from 'i18next';
import type { DeviceView } from '@kist/contract/customers';

/** What a phone said of its SIM cards, a line each; people count from 1. */
export const simFacts = (sims: DeviceView['sims'], t: TFunction): { label: string; value: string }[] =>
  sims.map(({ slot, operator, iccid_tail: tail }) => ({
    label: t('device.sim', { slot: slot + 1 }),
    value: `${operator} ••${tail}`,
  }));
