-- By what the database knows the folder that its pictures lie in: the same letters stand there in a file, and a process that sees another folder is not ready.
-- Null until the next start that has the owner's account.
-- One row: `installation` is held exclusively for a moment.
alter table installation add column folder_mark text check (folder_mark ~ '^[0-9a-f]{32}$');
