import { auditEndpoints } from './audit.ts';
import { authEndpoints } from './auth.ts';
import { customerEndpoints } from './customers.ts';
import { deviceEndpoints } from './devices.ts';
import { documentEndpoints } from './documents.ts';
import { emiEndpoints } from './emi.ts';
import type { Endpoint } from './endpoint.ts';
import { governingEndpoints } from './governing.ts';
import { organisationEndpoints } from './organisation.ts';
import type { CallName } from './paths.ts';
import { peopleEndpoints } from './people.ts';
import { penaltyEndpoints } from './penalties.ts';
import { setUpEndpoints } from './set-up.ts';

/** Every call for people. The server registers exactly these, the OpenAPI document is made from them. */
export const ENDPOINTS = {
  ...organisationEndpoints,
  ...peopleEndpoints,
  ...authEndpoints,
  ...customerEndpoints,
  ...setUpEndpoints,
  ...documentEndpoints,
  ...emiEndpoints,
  ...penaltyEndpoints,
  ...deviceEndpoints,
  ...governingEndpoints,
  ...auditEndpoints,
} as const satisfies Record<CallName, Endpoint>;
export type Endpoints = typeof ENDPOINTS;
