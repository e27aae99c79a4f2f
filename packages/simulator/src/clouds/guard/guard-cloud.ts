import { setTimeout as sleep } from 'node:timers/promises';
import { z } from 'zod';
import { HttpError, readBody, sendJson, serveRoutes } from '#simulator/http/http-server.ts';
import type { Asked, Route, RunningServer } from '#simulator/http/http-server.ts';
import { GuardBooks, deviceView } from './books.ts';
import type { GuardKept } from './books.ts';
import { TENANT_CALLS } from './calls.ts';
import type { CallAnswer, CallPorts } from './calls.ts';
import { Limiter } from './limits.ts';
import type { GuardLimits } from './limits.ts';
import { GuardRefusal, NO_GUARD_FAULTS, TOKEN_S, syncCall, tokenCall } from './protocol.ts';
import type { DeviceView, GuardFaults } from './protocol.ts';
import { deviceSecret, isSecret, isSyncBy, issueToken, tenantOfToken } from './signing.ts';
import { syncPhone } from './sync.ts';
import { Transactions } from './transactions.ts';
import { Webhooks } from './webhooks.ts';

/** One customer of the cloud: all that it knows of a shop's server is where its webhooks go. */
export const guardTenantSchema = z.strictObject({
  id: z.string().regex(/^[\w-]{1,40}$/),
  client_id: z.string().min(1).max(200),
  client_secret: z.string().min(8).max(200),
  webhook_url: z.url({ protocol: /^https?$/ }),
  webhook_secret: z.string().min(8).max(200),
});
export type GuardTenant = z.output<typeof guardTenantSchema>;

export interface GuardCloudOptions {
  tenants: readonly GuardTenant[];
  /** The maker's own key: every phone's secret comes of it. */
  factoryKey: string;
  nowMs?: () => number;
  /** What an earlier run had handed to `onChange`; belongs to this cloud from now on. */
  kept?: GuardKept;
  /** After every change; the same living object each time. */
  onChange?: (kept: GuardKept) => void;
  limits?: Partial<GuardLimits>;
  completeAfterMs?: number;
  webhookRetryMs?: number;
  webhookGatherMs?: number;
  slowMs?: number;
}

const COMPLETE_AFTER_MS = 400;
const SLOW_MS = 8000;

/** A phone maker's lock service over real HTTP: protocol.md has its wire. */
export const createGuardCloud = (options: GuardCloudOptions): GuardCloud => new GuardCloud(options);

export class GuardCloud {
  readonly #options: GuardCloudOptions;
  readonly #books: GuardBooks;
  readonly #webhooks: Webhooks;
  readonly #ports: CallPorts;
  readonly #slowMs: number;
  readonly #stopping = new AbortController();
  #faults = NO_GUARD_FAULTS;
  #running: RunningServer | undefined;

  constructor(options: GuardCloudOptions) {
    const { tenants, factoryKey, nowMs = Date.now, limits, slowMs = SLOW_MS } = options;
    this.#options = options;
    this.#slowMs = slowMs;
    const books = new GuardBooks(options.kept);
    this.#books = books;
    const shared = { books, nowMs, faults: () => this.#faults, changed: () => this.#changed() };
    const { webhookRetryMs: retryAfterMs, webhookGatherMs: gatherMs } = options;
    this.#webhooks = new Webhooks({ ...shared, tenants, retryAfterMs, gatherMs });
    const transactions = new Transactions({
      ...shared,
      slowMs,
      completeAfterMs: options.completeAfterMs ?? COMPLETE_AFTER_MS,
      done: ({ tenant, transaction_id }) => this.#webhooks.tell(tenant, { type: 'transaction.done', transaction_id }),
    });
    this.#ports = {
      books,
      transactions,
      limiter: new Limiter(books, limits),
      factoryKey,
      nowMs,
      faults: shared.faults,
    };
  }

  /** For a server that has other routes too: every path begins with /guard/. */
  routes(): Route[] {
    return [
      { method: 'POST', path: '/guard/v1/oauth/token', handle: this.#door((asked) => this.#giveToken(asked)) },
      { method: 'POST', path: '/guard/device/v1/sync', handle: this.#door((asked) => this.#sync(asked)) },
      ...TENANT_CALLS.map(({ method, path, answer }) => ({
        method,
        path,
        handle: this.#door((asked) => answer(this.#ports, this.#admit(asked), asked), true),
      })),
    ];
  }

  /** Serves on loopback by itself. @param port 0: any free one. @returns the port */
  async listen(port: number): Promise<number> {
    this.#running = await serveRoutes(this.routes(), port);
    return this.#running.port;
  }

  /** Ends the server, transactions and webhooks where they are; what is kept goes on with the next cloud. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    this.#ports.transactions.stop();
    this.#webhooks.stop();
    await this.#running?.close();
  }

  faults(): GuardFaults {
    return this.#faults;
  }
  setFaults(change: Partial<GuardFaults>): void {
    this.#faults = { ...this.#faults, ...change };
  }

  /** Every phone's record with its tenant, for whoever looks behind the counter. */
  devices(): (DeviceView & { tenant: string })[] {
    return this.#books.kept.devices.map((device) => ({ ...deviceView(device), tenant: device.tenant }));
  }

  /** What the maker burns into a phone of this cloud. */
  secretOf(imei: string, serial: string): string {
    return deviceSecret(this.#options.factoryKey, imei, serial);
  }

  #changed(): void {
    if (!this.#stopping.signal.aborted) this.#options.onChange?.(this.#books.kept);
  }

  /** Answers as the protocol does, or as the day is. */
  #door(answer: (asked: Asked) => CallAnswer, isTenants = false) {
    return async (asked: Asked): Promise<void> => {
      const { response } = asked;
      try {
        if (this.#faults.is_slow) await sleep(this.#slowMs, undefined, { signal: this.#stopping.signal });
        if (this.#faults.is_down) throw new GuardRefusal(503, 'UNAVAILABLE', 'The service is down.');
        const { status, body } = answer(asked);
        if (isTenants && this.#faults.drops_answers) response.socket?.resetAndDestroy();
        else sendJson(response, status, body);
      } catch (error) {
        refuse(asked, error);
      }
    };
  }

  #giveToken(asked: Asked): CallAnswer {
    const { client_id, client_secret } = readBody(asked, tokenCall);
    const tenant = this.#options.tenants.find((one) => one.client_id === client_id);
    if (!tenant || !isSecret(client_secret, tenant.client_secret))
      throw new GuardRefusal(401, 'INVALID_CLIENT', 'Unknown client or wrong secret.');
    const access_token = issueToken(tenant, this.#ports.nowMs());
    return { status: 200, body: { access_token, token_type: 'Bearer', expires_in: TOKEN_S } };
  }

  /** @returns whose call this is. @throws GuardRefusal 401, 429 */
  #admit({ headers }: Asked): string {
    const nowMs = this.#ports.nowMs();
    const [, token = ''] = /^Bearer (\S+)$/.exec(headers.authorization ?? '') ?? [];
    const tenant = tenantOfToken(this.#options.tenants, token, nowMs);
    if (!tenant) throw new GuardRefusal(401, 'TOKEN_EXPIRED', 'Get a new token.');
    if (this.#faults.rate_limits) throw new GuardRefusal(429, 'RATE_LIMITED', 'Too many calls.', 2);
    this.#ports.limiter.takeCall(tenant.id, nowMs);
    return tenant.id;
  }

  #sync(asked: Asked): CallAnswer {
    const said = readBody(asked, syncCall);
    if (!isSyncBy(this.secretOf(said.imei, said.serial), asked.body, asked.headers['x-guard-device']))
      throw new GuardRefusal(401, 'INVALID_CLIENT', 'This is not the phone that it says it is.');
    const body = syncPhone(this.#books, said, this.#ports.nowMs(), ({ tenant }, event) =>
      this.#webhooks.tell(tenant, event),
    );
    this.#changed();
    return { status: 200, body };
  }
}

/** @throws the error when it is none of the protocol's */
function refuse({ response }: Asked, error: unknown): void {
  if (response.destroyed) return;
  if (error instanceof GuardRefusal) {
    if (error.retryAfterS !== undefined) response.setHeader('retry-after', String(error.retryAfterS));
    sendJson(response, error.status, { code: error.code, message: error.message });
  } else if (error instanceof HttpError) {
    sendJson(response, error.status, { code: 'INVALID_REQUEST', message: error.message });
  } else if (error instanceof Error && error.name === 'AbortError') response.destroy();
  else throw error;
}
