/**
 * The day from which a journal treats a line of a provider's report as explained; null while nothing explains it. Lines explained before
 * get the day they were posted.
 */
export const explainedLines = `
ALTER TABLE provider_lines ADD COLUMN explained_on {day};
UPDATE provider_lines SET explained_on = posted_on WHERE state IN ('matched', 'none');
`
