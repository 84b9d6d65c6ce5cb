/** A number per publication that is incremented with every change of its readers: counts made under an older number are out of date. */
export const readerEditions = `
CREATE TABLE reader_editions (
  publication_id {ref} PRIMARY KEY NOT NULL,
  edition {ref} NOT NULL
);
`
