import type { ProvisioningQr } from '@kist/contract/agent';
import type { ServerKey } from './server-key.ts';

/** What a factory-fresh phone needs to fetch and trust the agent. */
interface AgentProgram {
  /** Where phones reach this server, e.g. https://kist.example. */
  serverUrl: string;
  component: string;
  packageUrl: string;
  /** URL-safe base64 SHA-256 of the signing certificate: stays the same over updates. */
  signatureChecksum: string;
}

/**
 * What the phone's camera reads of a token: where the agent is, and what it needs to enrol.
 * @returns a function of a token and its organisation
 */
export const createOffer =
  (key: Pick<ServerKey, 'keyId'>, program: AgentProgram) =>
  (token: string, orgId: number): ProvisioningQr => ({
    'android.app.extra.PROVISIONING_DEVICE_ADMIN_COMPONENT_NAME': program.component,
    'android.app.extra.PROVISIONING_DEVICE_ADMIN_PACKAGE_DOWNLOAD_LOCATION': program.packageUrl,
    'android.app.extra.PROVISIONING_DEVICE_ADMIN_SIGNATURE_CHECKSUM': program.signatureChecksum,
    'android.app.extra.PROVISIONING_LEAVE_ALL_SYSTEM_APPS_ENABLED': true,
    'android.app.extra.PROVISIONING_ADMIN_EXTRAS_BUNDLE': {
      'kist.server': program.serverUrl,
      'kist.token': token,
      'kist.key_id': key.keyId,
      'kist.org': String(orgId),
    },
  });
