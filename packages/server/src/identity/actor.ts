import type { Language, UserType } from '@kist/contract/codes';
import type { AccessConfig, UserAccess } from '@kist/contract/organisation';
import type { AuditActor } from '#server/audit/audit.ts';
import type { DeviceNote } from './session-store.ts';
import type { User } from './store.ts';

/** Where a request without a session comes from. */
export interface Visitor {
  orgId: number;
  ip: string;
  client: DeviceNote;
}

/** Who is asking. Made from a session (http) or by `SYSTEM` (jobs); every service that decides takes one. */
export interface Actor {
  orgId: number;
  userId: string;
  userType: UserType | 'system';
  sessionId?: string;
  /** Users whose customers this actor may see: a retailer itself and its mini-retailers, a mini-retailer itself, a customer nobody. */
  visibleOwnerIds: string[];
  /** Only for user type customer: what was sold to this number, in one shop or several. */
  customerIds?: readonly string[];
  access: UserAccess;
  lockAccess: AccessConfig;
  language: Language;
  /** Address of the request, after trusted proxies. */
  ip?: string;
}

/** Stands for the server itself in columns that want a user id. */
export const SYSTEM_USER_ID = '00000000-0000-0000-0000-000000000000';

/** The server acting by itself (daily run, reconciler): sees no customers by ownership, so it never goes through an owner check. */
export const SYSTEM = (orgId: number): Actor => ({
  orgId,
  userId: SYSTEM_USER_ID,
  userType: 'system',
  visibleOwnerIds: [],
  access: { feature_access: '1', lock_unlock: '1', unistall: '1', active_deactive: '1', bulk_retailer: '1' },
  lockAccess: { lock: '1', unlock: '1', read: '1', uninstall: '1' },
  language: 'en',
});

/** A user who has no session yet, or acts outside of one, as audit keeps it. */
export const userActor = ({ user_id, user_type }: User, ip?: string): AuditActor => ({
  userId: user_id,
  userType: user_type,
  ...(ip !== undefined && { ip }),
});
