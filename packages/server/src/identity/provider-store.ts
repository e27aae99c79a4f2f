import { as, bool, bytea, int4, known, nullable, text, type RowOf, uuid } from '#server/platform/column-types.ts';
import { statement } from '#server/platform/statement.ts';

/** The words of a provider that find a user, each of them only where the provider says that it is verified. */
export const CLAIMS = ['email', 'phone_number'] as const;
export type Claim = (typeof CLAIMS)[number];

const provider = {
  issuer: text,
  client_id: text,
  secret_sealed: nullable(bytea),
  claim: as<Claim>()(text),
};
export type ProviderRow = RowOf<typeof provider>;

export const providerOf = statement({
  name: 'identity.provider_of',
  gives: provider,
  text: 'select issuer, client_id, secret_sealed, claim from identity_providers where org_id = $1',
});

export const hasProvider = statement({
  name: 'identity.has_provider',
  gives: { has: bool },
  text: 'select exists (select from identity_providers where org_id = $1) as has',
});

/** As kist_operator. */
export const saveProvider = statement({
  name: 'identity.save_provider',
  takes: provider,
  text: `
    insert into identity_providers as p (org_id, issuer, client_id, secret_sealed, claim) values ($1, $issuer, $client_id, $secret_sealed, $claim)
    on conflict (org_id) do update set issuer = excluded.issuer, client_id = excluded.client_id, secret_sealed = excluded.secret_sealed,
      claim = excluded.claim, set_at = now()`,
});

/** As kist_operator; no row where there was none. */
export const removeProvider = statement({
  name: 'identity.remove_provider',
  gives: { issuer: text },
  text: 'delete from identity_providers where org_id = $1 returning issuer',
});

/** As kist_operator: accounts of another provider than this one mean nothing any more. */
export const forgetSubjectsOfOthers = statement({
  name: 'identity.forget_subjects_of_others',
  takes: { issuer: text },
  text: 'delete from provider_subjects where org_id = $1 and issuer <> $issuer',
});

/** As kist_operator; no row where nothing was tied to this user. */
export const unlinkSubject = statement({
  name: 'identity.unlink_subject',
  takes: { user_id: uuid },
  gives: { user_id: uuid },
  text: 'delete from provider_subjects where org_id = $1 and user_id = $user_id returning user_id',
});

export const ask = statement({
  name: 'identity.ask_provider',
  takes: { state_hash: bytea, ticket_hash: bytea, page: text, ttl_s: int4 },
  text: `
    insert into provider_questions (org_id, state_hash, ticket_hash, page, expires_at)
    values ($1, $state_hash, $ticket_hash, $page, now() + make_interval(secs => $ttl_s))`,
});

/** Uses a question up; no row when it was never asked by this browser, was answered, or is too old. */
export const takeQuestion = statement({
  name: 'identity.take_provider_question',
  takes: { state_hash: bytea, ticket_hash: bytea },
  gives: { page: text },
  text: `
    delete from provider_questions
    where org_id = $1 and state_hash = $state_hash and ticket_hash = $ticket_hash and expires_at > now()
    returning page`,
});

export const forgetQuestions = statement({
  name: 'identity.forget_provider_questions',
  text: 'delete from provider_questions where org_id = $1 and expires_at < now()',
});

/**
 * By an address that somebody vouched for who may, or of whom is tied to the account already. Two at most, that one first: whom two share is nobody else's. A
 * customer is none of them: the provider speaks for the organisation's own people.
 */
export const usersOfEmail = statement({
  name: 'identity.users_of_email',
  takes: { email: text, linked: nullable(uuid) },
  gives: { user_id: uuid },
  text: `
    select user_id from users
    where org_id = $1 and lower(email) = lower($email) and user_type <> 'customer' and email is not null and is_active
      and (is_email_vouched or user_type = 'admin' or user_id = $linked)
    order by (user_id = $linked) is true desc limit 2`,
});

/** No row of somebody who has no address. */
export const vouchForEmail = statement({
  name: 'identity.vouch_for_email',
  takes: { user_id: uuid },
  gives: { email: known(text) },
  text: `update users set is_email_vouched = true where org_id = $1 and user_id = $user_id and email <> '' returning email`,
});

export const usersOfNumber = statement({
  name: 'identity.users_of_number',
  takes: { mobile: text },
  gives: { user_id: uuid },
  text: `
    select user_id from users
    where org_id = $1 and mobile = $mobile and number_yielded_at is null and user_type <> 'customer' and is_active limit 2`,
});

const account = { issuer: text, subject: text };

/** Ties an account at the provider to a user; no row where either is tied already. */
export const linkSubject = statement({
  name: 'identity.link_subject',
  takes: { ...account, user_id: uuid },
  gives: { user_id: uuid },
  text: `
    insert into provider_subjects (org_id, user_id, issuer, subject, linked_at) values ($1, $user_id, $issuer, $subject, kist_now())
    on conflict do nothing returning user_id`,
});

/** Whom an account at the provider is tied to. */
export const userOfSubject = statement({
  name: 'identity.user_of_subject',
  takes: account,
  gives: { user_id: uuid },
  text: 'select user_id from provider_subjects where org_id = $1 and issuer = $issuer and subject = $subject',
});
