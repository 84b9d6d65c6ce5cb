/** Letters of the renewal series: each is in the file of one day, which is the same each time it is made. */
export const effortLetters = `
ALTER TABLE reader_efforts ADD COLUMN produced_on {day};
CREATE INDEX reader_efforts_letters ON reader_efforts (publication_id, planned_on) WHERE channel = 'letter';
`
