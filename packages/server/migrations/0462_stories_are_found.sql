-- What was decided about an agreement is read on every customer's page, phones that it had before among them: without this, all verdicts of the organisation were.
-- A million verdicts: read once, some seconds, and held against writing meanwhile.
create index verdicts_agreement on verdicts (org_id, agreement_id, decided_at desc);
