-- The makers in an organisation's table of models, and one maker's models, are found without reading the table.
-- A million models: one index, built in some seconds; the table, which an operator's import alone writes, is held against writing meanwhile.
create index phone_models_names on phone_models (org_id, brand, model);
