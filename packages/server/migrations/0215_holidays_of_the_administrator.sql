-- The organisation's administrator names the days on which nothing rises, over the running server; before, only whoever runs the installation could.
-- No row is read or written; organisations is held exclusively for a moment.
grant update (holidays) on organisations to kist_app;
