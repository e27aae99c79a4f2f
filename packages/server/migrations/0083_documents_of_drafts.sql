-- A draft that is deleted takes its photos and signatures with it. Nothing else of documents is ever deleted: not of a customer who signed,
-- and not what a consent refers to, whatever the program asks for.
grant delete on documents to kist_app;
create policy documents_of_drafts on documents as restrictive for delete to kist_app using (
  exists (select from customers c where c.org_id = documents.org_id and c.customer_id = documents.customer_id and c.is_draft)
  and not exists (select from consents s where s.org_id = documents.org_id and s.document_id = documents.document_id)
);
