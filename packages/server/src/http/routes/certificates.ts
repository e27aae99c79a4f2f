import { formatDate, formatInstant } from '@kist/contract/dates';
import { KistError } from '@kist/contract/errors';
import { formatInr } from '@kist/contract/money-text';
import type { App } from '#server/http/app-types.ts';
import { html, PAGE_POLICY, publicPage, type Say, sayOf } from '#server/http/public-page.ts';
import { route } from '#server/http/route.ts';
import { loadMoreTranslations, pickLanguage } from '#server/platform/translations.ts';
import { SYSTEM } from '#server/identity/identity.ts';
import * as notices from '#server/notices/notices.ts';
import * as reports from '#server/reports/reports.ts';

/** With what certificates are signed: the installation's own key, which its phones know. */
export interface CertificateKey {
  readonly keyId: string;
  readonly spki: string;
  sign(text: string): Buffer;
}

const LAST = 'certificate';
interface Page {
  Params: { link: string; file: string };
  Querystring: { lang?: unknown };
}

/**
 * That the EMIs are paid, and what is left of late fees: signed, for the customer and the shop by a call, and for whoever has the agreement's link as a
 * page (`/n/<link>/certificate`) and as data (`/n/<link>/certificate.json`), which anybody can hold against the public key.
 */
export function certificateRoutes(app: App, making: notices.LinkMaking, key: CertificateKey): void {
  const { fastify, deps } = app;
  const words = loadMoreTranslations(deps.settings.localesDir);
  route(app, 'getCertificate', ({ actor, db, query }) =>
    db.read(actor.orgId, async (tx) => {
      const found = await reports.certificate(tx, actor, query);
      if (!found) return { certificate: null };
      const { url } = await notices.noticeLink(tx, making, actor, query);
      return { certificate: { ...signed(key, found.certificate), url: `${url}/${LAST}` } };
    }),
  );
  fastify.get<Page>(`${notices.NOTICE_PAGE_PATH}/:link/:file`, async (request, reply) => {
    const { link: letters, file } = request.params;
    const link = notices.readLink(letters);
    const opened = link && (await deps.db.read(link.orgId, (tx) => notices.openLink(tx, making, link)));
    await deps.limits.noticeLink('read', opened ? { agreementId: opened.agreement_id } : { ip: request.ip });
    const found =
      link && opened && (await deps.db.read(link.orgId, (tx) => reports.certificate(tx, SYSTEM(link.orgId), opened)));
    // Wrong, replaced, an EMI is owed, or of an agreement that another followed: they answer alike.
    if (!found || found.agreement_id !== opened.agreement_id || (file !== LAST && file !== `${LAST}.json`))
      throw new KistError('NOT_FOUND');
    void reply.header('referrer-policy', 'no-referrer').header('cache-control', 'no-store');
    const proof = signed(key, found.certificate);
    if (file !== LAST) return reply.type('application/json; charset=utf-8').send(JSON.stringify(proof));
    const { lang } = request.query;
    const language = pickLanguage(
      typeof lang === 'string' ? lang : undefined,
      found.language,
      request.headers['accept-language'],
    );
    const here = `${notices.NOTICE_PAGE_PATH}/${encodeURIComponent(letters)}/${LAST}`;
    const say = sayOf(words, language);
    return reply
      .header('content-security-policy', PAGE_POLICY)
      .type('text/html; charset=utf-8')
      .send(
        publicPage({
          language,
          title: say('certificate.title'),
          body: bodyOf(say, found.certificate, proof, here),
          path: here,
        }),
      );
  });
}

type Signed = ReturnType<typeof signed>;
/** What is signed is the text itself, to the letter: nobody need write it anew to hold it against the signature. */
function signed(key: CertificateKey, certificate: reports.Certificate) {
  const payload = JSON.stringify(certificate);
  return { payload, signature: key.sign(payload).toString('base64url'), key_id: key.keyId, public_key: key.spki };
}

/** What the customer has to come for locks that were not right: why, since when, by which hours, and what of it was paid out. */
function owedOf(say: Say, { organisation: name, owed_for_locks: owed }: reports.Certificate): string {
  if (owed.length === 0) return '';
  const rows = owed.map(({ rule, since, until, hours, paise_per_hour, paid_paise, owed_paise }) => {
    const lasted = [since, until].map((at) => (at === null ? '' : formatInstant(Date.parse(at)))).join(' – ');
    const lines = [html(lasted), say('certificate.owed_hours', { hours, amount: formatInr(paise_per_hour) })];
    const sums = {
      total: formatInr(paid_paise + owed_paise),
      paid: formatInr(paid_paise),
      left: formatInr(owed_paise),
    };
    if (paid_paise > 0) lines.push(say('certificate.owed_paid', sums));
    if (until === null) lines.push(say('certificate.owed_open'));
    return `<li>${say(`certificate.owed_${rule}`)}<br><strong>${html(formatInr(owed_paise))}</strong><br>${lines.join('<br>')}</li>`;
  });
  return `<section><h2>${say('certificate.owed', { name })}</h2><ul>${rows.join('')}</ul></section>
`;
}

function bodyOf(say: Say, one: reports.Certificate, { signature, key_id }: Signed, here: string): string {
  const row = (name: string, value: string) =>
    `<li>${say(`certificate.${name}`)}<br><strong>${html(value)}</strong></li>`;
  const released = one.released_at === null ? '' : row('released', formatInstant(Date.parse(one.released_at)));
  const left = say('certificate.emis_paid', { amount: formatInr(one.late_fees_left_paise) });
  const said = one.says === 'nothing_owed' ? `<p class="ok">${say('certificate.nothing_owed')}</p>` : `<p>${left}</p>`;
  return `<section>${said}<ul>${row('customer', one.customer)}${row('agreement_no', one.agreement_no)}${row('phone', one.device)}${row('imei', one.imei)}${row('completed', formatDate(one.completed_on))}${released}${row('shop', one.shop)}</ul></section>
${owedOf(say, one)}<section><h2>${say('certificate.proof')}</h2><p class="soft">${say('certificate.how')}</p><p class="soft">${html(key_id)} · ${html(signature)}</p>
<p><a href="${here}.json">${say('certificate.data')}</a></p></section>`;
}
