import { auditEndpoints } from './audit.ts';
import { authEndpoints } from './auth.ts';
import { cancellingEndpoints } from './cancelling.ts';
import { catalogueEndpoints } from './catalogue.ts';
import { compensationEndpoints } from './compensations.ts';
import { customerEndpoints } from './customers.ts';
import { deviceEndpoints } from './devices.ts';
import { disputeEndpoints } from './disputes.ts';
import { documentEndpoints } from './documents.ts';
import { emiEndpoints } from './emi.ts';
import type { Endpoint } from './endpoint.ts';
import { exchangingEndpoints } from './exchanging.ts';
import { financingEndpoints } from './financing.ts';
import { governingEndpoints } from './governing.ts';
import { organisationLoginEndpoints } from './organisation-login.ts';
import { organisationEndpoints } from './organisation.ts';
import type { CallName } from './paths.ts';
import { overrideEndpoints } from './overrides.ts';
import { passkeyEndpoints } from './passkeys.ts';
import { payToEndpoints } from './pay-to.ts';
import { peopleEndpoints } from './people.ts';
import { penaltyEndpoints } from './penalties.ts';
import { phoneClaimEndpoints } from './phone-claims.ts';
import { planEndpoints } from './plans.ts';
import { privacyEndpoints } from './privacy.ts';
import { reminderEndpoints } from './reminders.ts';
import { reportEndpoints } from './reports.ts';
import { revisingEndpoints } from './revising.ts';
import { setUpEndpoints } from './set-up.ts';
import { theftEndpoints } from './theft.ts';
import { waitingEndpoints } from './waiting.ts';

/** Every call for people. The server registers exactly these, the OpenAPI document is made from them. */
export const ENDPOINTS = {
  ...organisationEndpoints,
  ...peopleEndpoints,
  ...authEndpoints,
  ...organisationLoginEndpoints,
  ...passkeyEndpoints,
  ...customerEndpoints,
  ...cancellingEndpoints,
  ...exchangingEndpoints,
  ...financingEndpoints,
  ...setUpEndpoints,
  ...documentEndpoints,
  ...emiEndpoints,
  ...reportEndpoints,
  ...revisingEndpoints,
  ...payToEndpoints,
  ...penaltyEndpoints,
  ...phoneClaimEndpoints,
  ...planEndpoints,
  ...catalogueEndpoints,
  ...reminderEndpoints,
  ...deviceEndpoints,
  ...overrideEndpoints,
  ...waitingEndpoints,
  ...disputeEndpoints,
  ...compensationEndpoints,
  ...theftEndpoints,
  ...governingEndpoints,
  ...auditEndpoints,
  ...privacyEndpoints,
} as const satisfies Record<CallName, Endpoint>;
export type Endpoints = typeof ENDPOINTS;
