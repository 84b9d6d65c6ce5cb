/** Publication drafts, uploaded pictures, and the state of the copies that orders took from stock. */
export const catalogueWork = `
CREATE TABLE publication_drafts (
  id {id},
  user_id {ref} NOT NULL REFERENCES users (id),
  /* 0 for a new one. */
  publication_id {ref} NOT NULL DEFAULT 0,
  answers {json} NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  UNIQUE (user_id, publication_id)
);
CREATE TABLE images (
  id {id},
  name VARCHAR(200) NOT NULL UNIQUE,
  /* cover or logo: which files it has. */
  kind VARCHAR(20) NOT NULL,
  publisher_id {ref} NOT NULL REFERENCES users (id),
  uploaded_by {ref} REFERENCES users (id),
  width {int} NOT NULL,
  height {int} NOT NULL,
  bytes {int} NOT NULL,
  created_at {moment} NOT NULL
);
CREATE INDEX images_publisher ON images (publisher_id);
CREATE INDEX images_created ON images (created_at);
/* A back issue's copy: taken, given-back or oversold; null where copies are not counted. */
ALTER TABLE order_items ADD COLUMN copy_state VARCHAR(12);
`
