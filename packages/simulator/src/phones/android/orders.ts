import type { AgentCommand } from '@kist/contract/agent';
import { COMMANDS, type CommandType, strengthOf } from '@kist/contract/commands';
import type { Feature } from '@kist/contract/features';
import type { Effect } from './events.ts';
import type { Agent, Phone } from './state.ts';
import { aboutOf, isPaid } from './messages.ts';
import { acknowledge } from './queue.ts';
import { trustedNow } from './trusted-time.ts';

const MAX_MESSAGES = 20;

/** The feature that decides whether this type of phone can do an order; undefined: no order that this program knows. */
const featureOf = (type: string): Feature | undefined =>
  Object.hasOwn(COMMANDS, type) ? COMMANDS[type as CommandType].feature : undefined;

type Done = { agent: Agent; effects: Effect[] };

/** Takes one order: once done it is only confirmed again, an expired or impossible one fails with its reason. */
export function takeOrder(phone: Phone, agent: Agent, order: AgentCommand): Done {
  const before = agent.done.find((ack) => ack.id === order.id);
  if (before) return { agent: acknowledge(agent, before), effects: [{ kind: 'contact' }] };
  const fail = (code: string): Done => ({
    agent: acknowledge(agent, { id: order.id, seq: order.seq, status: 'failed', code }),
    effects: [{ kind: 'contact' }],
  });
  if (Date.parse(order.expires_at) <= trustedNow(agent, phone.elapsedMs)) return fail('EXPIRED');
  const feature = featureOf(order.type);
  if (!feature || strengthOf(phone.hardware.agent, feature) === 'no') return fail('UNSUPPORTED_ON_DEVICE');
  const needsPermission = strengthOf(phone.hardware.agent, feature) === 'advisory';
  if (needsPermission && order.type !== 'emi_alert' && !phone.hasPermissions) return fail('PERMISSION_DENIED');
  // Paid while it was on its way: who paid is not told that they did not.
  if (order.type === 'emi_alert' && isPaid(agent, aboutOf(order.args))) return fail('EXPIRED');
  return carryOut(phone, agent, order);
}

function carryOut(phone: Phone, agent: Agent, order: AgentCommand): Done {
  const { id, seq } = order;
  const now = trustedNow(agent, phone.elapsedMs);
  const applied = (result?: Record<string, unknown>): Agent =>
    acknowledge(agent, { id, seq, status: 'applied', ...(result ? { result } : {}) });
  const contact: Effect[] = [{ kind: 'contact' }];
  if (order.type === 'location') {
    const { latitude, longitude, accuracyM } = phone.place;
    const result = { latitude, longitude, accuracy_m: accuracyM, at: new Date(now).toISOString() };
    return { agent: applied(result), effects: contact };
  }
  if (order.type === 'sim_info') return { agent: applied({ sims: phone.sims }), effects: contact };
  if (order.type === 'emi_alert') {
    const text = typeof order.args['text'] === 'string' ? order.args['text'] : '';
    const shown = applied();
    const messages = [...shown.messages, { id, seq, text, ...aboutOf(order.args), atMs: now, isSeen: false }].slice(
      -MAX_MESSAGES,
    );
    return { agent: { ...shown, messages }, effects: contact };
  }
  const delivered = acknowledge(agent, { id, seq, status: 'delivered' });
  return { agent: { ...delivered, rebootFor: { id, seq } }, effects: [...contact, { kind: 'reboot' }] };
}
