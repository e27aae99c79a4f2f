-- Whose e-mail address it is that the organisation's provider has verified was asked of a column that everybody may write for their own name, and a shop for those
-- below it: who wrote a colleague's address first got that colleague into their account. An address leads somebody in only when an administrator, or whoever runs
-- the installation, wrote it or vouched for it; who is tied to an account already stays tied.
-- A million users: a column with a default is added without a row being written; users are held exclusively for a moment. Nobody who is not tied yet is vouched for.
alter table users add column is_email_vouched boolean not null default false;
grant update (is_email_vouched) on users to kist_app;
