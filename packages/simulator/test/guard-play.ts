import { createHmac, randomUUID } from 'node:crypto';
import { createGuardCloud } from '#simulator/clouds/guard/guard-cloud.ts';
import type { GuardCloud, GuardCloudOptions, GuardTenant } from '#simulator/clouds/guard/guard-cloud.ts';
import type { GuardKept } from '#simulator/clouds/guard/books.ts';
import { GuardPhone } from '#simulator/clouds/guard/guard-phone.ts';
import type { DeviceView, GuardEvent, GuardTarget, TransactionView } from '#simulator/clouds/guard/protocol.ts';
import { randomImei } from '#simulator/phones/android/imei.ts';
import { serveRoutes } from '#simulator/http/http-server.ts';
import type { RunningServer } from '#simulator/http/http-server.ts';

interface Answer {
  status: number;
  headers: Headers;
  /** Some words of the answers; those that a call does not give are undefined. */
  body: DeviceView & TransactionView & { code: string; access_token: string; expires_in: number; pin: string };
}

/** A shop's server: it takes webhooks, or refuses some, and checks each signature with node:crypto alone. */
export class Shop {
  readonly tenant: GuardTenant;
  readonly events: GuardEvent[] = [];
  refuseFirst = 0;
  /** Points every webhook on to here. */
  redirectTo: string | null = null;
  readonly #running: RunningServer;
  #token = '';
  url = '';

  private constructor(id: string, running: RunningServer) {
    this.#running = running;
    this.tenant = {
      id,
      client_id: `client-${id}`,
      client_secret: randomUUID(),
      webhook_url: `http://127.0.0.1:${running.port}/hooks/guard`,
      webhook_secret: randomUUID(),
    };
  }

  static async open(id: string): Promise<Shop> {
    const running = await serveRoutes([], 0);
    const shop = new Shop(id, running);
    running.replace([
      {
        method: 'POST',
        path: '/hooks/guard',
        handle: ({ body, headers, response }) => {
          const [, t, v1] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(String(headers['x-guard-signature'])) ?? [];
          const wanted = createHmac('sha256', shop.tenant.webhook_secret)
            .update(`${t}.${body.toString()}`)
            .digest('hex');
          if (v1 !== wanted) throw new Error('a webhook with a wrong signature');
          if (Math.abs(Number(t) - Date.now() / 1000) > 60) throw new Error('a webhook of another time');
          if (shop.redirectTo) return void response.writeHead(307, { location: shop.redirectTo }).end();
          shop.refuseFirst -= 1;
          if (shop.refuseFirst >= 0) return void response.writeHead(500).end();
          shop.events.push(JSON.parse(body.toString()) as GuardEvent);
          return {};
        },
      },
    ]);
    return shop;
  }

  /** Calls the cloud as this tenant, with the token that it has. */
  async call(method: 'GET' | 'POST', path: string, body?: unknown): Promise<Answer> {
    const response = await fetch(`${this.url}/guard/v1${path}`, {
      method,
      headers: { authorization: `Bearer ${this.#token}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    return { status: response.status, headers: response.headers, body: (await response.json()) as Answer['body'] };
  }

  credentials() {
    const { client_id, client_secret } = this.tenant;
    return { client_id, client_secret };
  }
  async logIn(): Promise<void> {
    const { body } = await this.call('POST', '/oauth/token', this.credentials());
    this.#token = body.access_token;
  }

  /** A bulk call. @returns its transaction once it is done */
  async done(path: string, body: Record<string, unknown>): Promise<TransactionView> {
    const { status, body: said } = await this.call('POST', path, { request_id: randomUUID(), ...body });
    if (status !== 202) throw new Error(`${path}: ${status} ${JSON.stringify(said)}`);
    for (let tries = 0; tries < 300; tries += 1) {
      const { body: view } = await this.call('GET', `/transactions/${said.transaction_id}`);
      if (view.status === 'done') return view;
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
    throw new Error(`${path}: never done`);
  }

  async device(id: string): Promise<DeviceView> {
    return (await this.call('GET', `/devices/${id}`)).body;
  }

  async order(deviceId: string, version: number, locked: boolean, more: Partial<GuardTarget> = {}) {
    const target = { version, locked, title: 'EMI due', message: 'Please pay', phone_number: '+919000000001', ...more };
    const { results } = await this.done('/devices/targets', { items: [{ device_id: deviceId, target }] });
    return results[0]!;
  }

  /** Uploads, approves and switches on a phone. @returns it and its record's id */
  async enrol(play: GuardPlay): Promise<{ phone: GuardPhone; id: string }> {
    const phone = play.phone();
    const { imei } = phone.view();
    const uploaded = await this.done('/devices/upload', { devices: [{ imei }] });
    await this.done('/devices/approve', { devices: [{ imei }] });
    await phone.sync();
    return { phone, id: uploaded.results[0]!.device_id! };
  }

  hasDone(transactionId: string): boolean {
    return this.events.some((event) => event.transaction_id === transactionId);
  }
  types(): string[] {
    return this.events.map(({ type }) => type);
  }
  close(): Promise<void> {
    return this.#running.close();
  }
}

/** A guard cloud on loopback, its clock in the test's hand, two shops that are its tenants, and phones. */
export class GuardPlay {
  nowMs = Date.parse('2026-11-05T05:00:00Z');
  kept: GuardKept | undefined;
  cloud!: GuardCloud;
  readonly #shops: Shop[];
  #port = 0;
  #options: Partial<GuardCloudOptions> = {};

  private constructor(shops: Shop[]) {
    this.#shops = shops;
  }

  static async open(options: Partial<GuardCloudOptions> = {}): Promise<{ play: GuardPlay; shop: Shop; other: Shop }> {
    const [shop, other] = [await Shop.open('one'), await Shop.open('two')];
    const play = new GuardPlay([shop, other]);
    await play.start(options);
    await shop.logIn();
    await other.logIn();
    return { play, shop, other };
  }

  /** A process of the cloud that has nothing but what an earlier one kept, at the same address. */
  async start(options = this.#options): Promise<void> {
    this.#options = options;
    const text = this.kept && JSON.stringify(this.kept);
    this.cloud = createGuardCloud({
      tenants: this.#shops.map(({ tenant }) => tenant),
      factoryKey: 'the maker’s own',
      nowMs: () => this.nowMs,
      ...(text ? { kept: JSON.parse(text) as GuardKept } : {}),
      onChange: (kept) => (this.kept = kept),
      completeAfterMs: 20,
      webhookRetryMs: 20,
      webhookGatherMs: 150,
      slowMs: 300,
      ...options,
    });
    this.#port = await this.cloud.listen(this.#port);
    for (const shop of this.#shops) shop.url = this.url();
  }

  /** Another process, once the connections of the first are seen to be gone. */
  async restart(options = this.#options): Promise<void> {
    await this.cloud.stop();
    await new Promise((resolve) => setTimeout(resolve, 20));
    await this.start(options);
  }

  url(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  phone(): GuardPhone {
    const [imei, serial] = [randomImei(), `R5${randomUUID().slice(0, 8).toUpperCase()}`];
    const sims = [{ slot: 0, iccid: '8991000000000000001', operator: 'Jio' }];
    const secret = this.cloud.secretOf(imei, serial);
    return new GuardPhone({ cloudUrl: this.url(), imei, serial, secret, sims, nowMs: () => this.nowMs });
  }

  async close(): Promise<void> {
    await this.cloud.stop();
    await Promise.all(this.#shops.map((shop) => shop.close()));
  }
}
