import { LINKED_AGENT_PATH } from '@kist/contract/linked-phone';
import type { App } from '#server/http/app-types.ts';

/** The agent as phones fetch and know it. */
interface AgentPackage {
  /** `<package>/<receiver>`. */
  component: string;
  packageUrl: string;
  /** URL-safe base64 SHA-256 of the signing certificate. */
  signatureChecksum: string;
}

/** As Android writes a certificate's SHA-256: `AB:CD:…`. */
const fingerprint = (checksum: string): string =>
  (Buffer.from(checksum, 'base64url').toString('hex').toUpperCase().match(/../g) ?? []).join(':');

/**
 * The agent for a phone in use, without an account: whoever opens the customer's link fetches it here, and Android learns that the agent may open that
 * link itself (App Links). Neither says anything of anybody: the token stands behind `#`, which is not sent.
 */
export function linkedPhoneRoutes({ fastify }: App, agent: AgentPackage): void {
  const assetLinks = JSON.stringify([
    {
      relation: ['delegate_permission/common.handle_all_urls'],
      target: {
        namespace: 'android_app',
        package_name: agent.component.split('/')[0],
        sha256_cert_fingerprints: [fingerprint(agent.signatureChecksum)],
      },
    },
  ]);
  fastify.get(LINKED_AGENT_PATH, async (_request, reply) =>
    reply.header('cache-control', 'no-store').header('referrer-policy', 'no-referrer').redirect(agent.packageUrl, 302),
  );
  fastify.get('/.well-known/assetlinks.json', async (_request, reply) =>
    reply.type('application/json; charset=utf-8').send(assetLinks),
  );
}
