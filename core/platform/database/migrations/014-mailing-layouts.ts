/** Layouts of mailing houses by name; and the layout and counts of each mailing file. */
export const mailingLayouts = `
CREATE TABLE mailing_layouts (
  id {id},
  publisher_id {ref} NOT NULL REFERENCES users (id),
  /* Null is for every publication of the publisher. */
  publication_id {ref} REFERENCES publications (id),
  name VARCHAR(60) NOT NULL,
  /* The name in small letters: two that differ by case alone would be taken for each other. */
  name_key VARCHAR(60) NOT NULL,
  layout {json} NOT NULL,
  created_at {moment} NOT NULL,
  updated_at {moment} NOT NULL,
  UNIQUE (publisher_id, name_key)
);
/* Empty is the standard layout. */
ALTER TABLE mailing_files ADD COLUMN layout VARCHAR(60) NOT NULL DEFAULT '';
ALTER TABLE mailing_files ADD COLUMN counts {json};
`
