import { createHmac } from 'node:crypto';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { asKistError } from '#server/http/errors.ts';
import { hookRoutes } from '#server/http/routes/hooks.ts';
import { ERRORS } from '@kist/contract/errors';
import { type LockWorld, ORG, type Sale, createLockWorld } from '#test/lock-world.ts';
import { parseReference, referenceOf } from './sender.ts';

const [SECRET, OLD_SECRET] = ['new-secret', 'old-secret'];
let world: LockWorld;
let http: FastifyInstance;

beforeAll(async () => {
  world = await createLockWorld();
  world.gateway.delivers = false;
  http = fastify();
  http.setErrorHandler((error, _request, reply) =>
    reply.code(ERRORS[asKistError(error).code].status).send({ code: asKistError(error).code }),
  );
  hookRoutes(http, { db: world.db, notices: world.notices, smsSecrets: [SECRET, OLD_SECRET] });
  await http.ready();
});
afterAll(async () => {
  await http.close();
  await world.close();
});

const signature = (body: string, secret: string, t = '1773207000') =>
  `t=${t},v1=${createHmac('sha256', secret).update(`${t}.${body}`).digest('hex')}`;
const post = (body: string, header: string) =>
  http.inject({
    method: 'POST',
    url: '/hooks/sms',
    payload: body,
    headers: { 'content-type': 'application/json', 'x-sms-signature': header },
  });
const receipt = (noticeId: string, status: 'delivered' | 'failed' = 'delivered') =>
  JSON.stringify({
    message_id: 'm-1',
    reference: referenceOf(ORG, noticeId),
    status,
    delivered_at: '2026-03-11T07:00:00.000Z',
  });

/** A sale one day late, whose notice was sent and is not known to have arrived. */
async function noticed(): Promise<{ sale: Sale; noticeId: string }> {
  await world.forgetDays();
  await world.at('2026-03-05T12:00:00');
  const sale = await world.sell();
  await world.day('2026-03-11');
  const [row] = await world.db.asOwner<{ id: string }>(
    `select notice_id as id from notices where agreement_id = $1 and kind = 'notice' and channel = 'sms'`,
    [sale.agreement.agreement_id],
  );
  return { sale, noticeId: row!.id };
}
const deliveredAt = async (noticeId: string) =>
  (
    await world.db.asOwner<{ at: Date | null }>('select delivered_at as at from notices where notice_id = $1', [
      noticeId,
    ])
  )[0]!.at;

describe('a delivery receipt', () => {
  it('counts with its proof, from our own clock, and renews the lease so that the ladder may go on', async () => {
    const { sale, noticeId } = await noticed();
    const before = await world.leaseOf(sale);
    const body = receipt(noticeId);
    expect((await post(body, signature(body, SECRET))).statusCode).toBe(200);
    const at = (await deliveredAt(noticeId))!;
    expect(Math.abs(at.getTime() - Date.parse('2026-03-11T12:30:00+05:30'))).toBeLessThan(60_000);
    const lease = await world.leaseOf(sale);
    expect(lease.seq).toBeGreaterThan(before.seq);
    expect(lease.notices).toMatchObject([{ no: 1, delivered_at: at.toISOString() }]);
    for (const day of ['2026-03-12', '2026-03-13']) await world.day(day);
    expect(await world.levelOf(sale)).toBe(3);
  });

  it('forged, altered, unsigned or from nobody changes nothing', async () => {
    const { noticeId } = await noticed();
    const body = receipt(noticeId);
    const good = signature(body, SECRET);
    for (const header of [
      '',
      good.slice(0, -1),
      signature(body, 'guess'),
      signature(`${body} `, SECRET),
      't=1,v1=zz',
      good.replace('t=1', 't=2'),
    ])
      expect((await post(body, header)).statusCode).toBe(403);
    expect(await deliveredAt(noticeId)).toBeNull();
    const other = JSON.stringify({ reference: 'otp.123', status: 'delivered' });
    expect((await post(other, signature(other, SECRET))).statusCode).toBe(200);
    const foreign = receipt(noticeId).replace(`${ORG}.`, '21.');
    expect((await post(foreign, signature(foreign, SECRET))).statusCode).toBe(200);
    expect(await deliveredAt(noticeId)).toBeNull();
    for (const broken of ['', '{', '[]', '{"status":"delivered"}'])
      expect((await post(broken, signature(broken, SECRET))).statusCode).toBe(400);
  });

  it('repeated, late, or after a failure counts once and is never taken back', async () => {
    const { sale, noticeId } = await noticed();
    const failed = receipt(noticeId, 'failed');
    expect((await post(failed, signature(failed, OLD_SECRET))).statusCode).toBe(200);
    expect(await deliveredAt(noticeId)).toBeNull();
    const body = receipt(noticeId);
    await post(body, signature(body, OLD_SECRET));
    const at = await deliveredAt(noticeId);
    const seq = (await world.leaseOf(sale)).seq;
    await world.at('2026-03-12T12:30:00');
    await post(body, signature(body, SECRET));
    await post(failed, signature(failed, SECRET));
    expect(await deliveredAt(noticeId)).toEqual(at);
    expect((await world.leaseOf(sale)).seq).toBe(seq);
  });
});

it('a failure that is told after the delivery takes nothing from it: the message stands as delivered, with its proof', async () => {
  const { noticeId } = await noticed();
  const kept = async () =>
    (
      await world.db.asOwner<{ failed_at: Date | null; proof: object }>(
        'select failed_at, proof from notices where notice_id = $1',
        [noticeId],
      )
    )[0]!;
  const [delivered, failed] = [receipt(noticeId), receipt(noticeId, 'failed')];
  await post(delivered, signature(delivered, SECRET));
  const before = await kept();
  expect(before).toMatchObject({ failed_at: null, proof: { status: 'delivered' } });
  expect((await post(failed, signature(failed, SECRET))).statusCode).toBe(200);
  expect(await kept()).toEqual(before);
});

it('a reference names its organisation, and nothing else is taken for one', () => {
  const id = '01890a5d-ac96-774b-bcce-b302099a8057';
  expect(parseReference(referenceOf(20, id))).toEqual({ orgId: 20, noticeId: id });
  for (const odd of ['', id, `0.${id}`, `20.${id}x`, `99999999999.${id}`, `20.${id.toUpperCase()}`])
    expect(parseReference(odd)).toBeUndefined();
});
