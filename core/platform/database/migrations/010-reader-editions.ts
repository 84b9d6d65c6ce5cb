/** A number per publication that grows with every change of its readers: what was counted under an older one is out of date. */
export const readerEditions = `
CREATE TABLE reader_editions (
  publication_id {ref} PRIMARY KEY NOT NULL,
  edition {ref} NOT NULL
);
`
