import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { type Connection, type Reply, appHeaders } from '#bench/lib/client.ts';
import type { Order } from './orders.ts';

/** What a shop was told, once and for good: the order is done, or refused with the gate's rule. */
export interface Acknowledged {
  order: Order;
  status: number;
  /** `data` of a 200, else the whole refusal. */
  answer: Record<string, unknown>;
  tries: number;
}

export interface Shops {
  acknowledged: Acknowledged[];
  /** Answers that no shop should get: another answer for the same key, or an error that trying again does not mend. */
  surprises: string[];
  tries: number;
  done: Promise<void>;
}

/** Grows with each try, up to this. */
const RETRY_MS = 50;
const RETRY_MAX_MS = 400;
const TRY_WITHIN_MS = 5000;
/** Longer than any recovery: an order that is not answered by then is a broken promise, not a reason to hang. */
const GIVE_UP_MS = 90_000;

/** Works through every phone's orders, `hands` phones at a time. Whatever happens, a hand asks again under the same key until it has an answer. */
export function openShops(plans: readonly (readonly Order[])[], connection: Connection, hands: number): Shops {
  const shops: Shops = { acknowledged: [], surprises: [], tries: 0, done: Promise.resolve() };
  const waiting = [...plans];
  const work = async () => {
    for (let plan = waiting.shift(); plan; plan = waiting.shift())
      for (const order of plan) await place(order, connection, shops);
  };
  shops.done = Promise.all(Array.from({ length: hands }, work)).then(() => undefined);
  return shops;
}

async function place(order: Order, connection: Connection, shops: Shops): Promise<void> {
  const since = performance.now();
  for (let tries = 1; ; tries += 1) {
    if (performance.now() - since > GIVE_UP_MS) {
      shops.surprises.push(`${order.kind} of phone ${order.phone} was never answered`);
      return;
    }
    shops.tries += 1;
    const first = tries === 1;
    const replies = await Promise.all([
      attempt(order, connection, first && order.mishap === 'cut' ? order.cutAfterMs : undefined),
      ...(first && order.mishap === 'twice' ? [attempt(order, connection)] : []),
    ]);
    const told = replies.filter((reply) => reply !== undefined && isFinal(reply)) as Reply[];
    const [reply, other] = told;
    if (reply) {
      if (other && !isSameAnswer(reply, other))
        shops.surprises.push(`two answers for one key: ${reply.text} and ${other.text}`);
      settle(order, reply, tries, shops);
      return;
    }
    await sleep(Math.min(RETRY_MAX_MS, RETRY_MS * tries));
  }
}

/** @returns undefined when no whole reply came: the order may be done or not, and only asking again tells */
async function attempt(order: Order, connection: Connection, cutAfterMs?: number): Promise<Reply | undefined> {
  try {
    return await connection.send({
      method: 'POST',
      path: order.path,
      headers: { ...appHeaders(order.path, order.token), 'idempotency-key': order.key },
      body: order.body,
      timeoutMs: TRY_WITHIN_MS,
      ...(cutAfterMs === undefined ? {} : { cutAfterMs }),
    });
  } catch {
    return undefined;
  }
}

/** An overloaded, starting or broken server says so with these; everything else is its last word. */
const isFinal = ({ status }: Reply): boolean => status !== 429 && status < 500;

/** What is kept is kept as data: the order of its fields is not part of it. */
const isSameAnswer = (one: Reply, other: Reply): boolean =>
  one.status === other.status && isDeepStrictEqual(JSON.parse(one.text), JSON.parse(other.text));

function settle(order: Order, { status, text }: Reply, tries: number, shops: Shops): void {
  const envelope = JSON.parse(text) as { data?: Record<string, unknown>; code?: string };
  const isRefusal = status === 422 && envelope.code === 'POLICY_REFUSED' && order.kind === 'lock';
  if (status !== 200 && !isRefusal)
    shops.surprises.push(`${order.kind} of phone ${order.phone} answered ${status}: ${text.slice(0, 300)}`);
  else shops.acknowledged.push({ order, status, answer: status === 200 ? (envelope.data ?? {}) : envelope, tries });
}

/** Asks for orders that are done once more, as a phone does that was off for a week. @returns those that got another answer than the first */
export async function askAgain(acknowledged: readonly Acknowledged[], connection: Connection): Promise<string[]> {
  const different: string[] = [];
  for (const { order, status, answer } of acknowledged) {
    const reply = await attempt(order, connection);
    const envelope = JSON.parse(reply?.text ?? '{}') as { data?: unknown };
    const again = reply?.status === 200 ? envelope.data : envelope;
    const isSame = reply?.status === status && isDeepStrictEqual(again, answer);
    if (!isSame)
      different.push(
        `${order.kind} of phone ${order.phone}: ${JSON.stringify(answer)} became ${reply?.status} ${reply?.text}`,
      );
  }
  return different;
}
