/**
 * The day under which a journal takes a line of a provider's report as explained; null while nothing explains it. What was explained before
 * is taken under the day it was posted.
 */
export const explainedLines = `
ALTER TABLE provider_lines ADD COLUMN explained_on {day};
UPDATE provider_lines SET explained_on = posted_on WHERE state IN ('matched', 'none');
`
