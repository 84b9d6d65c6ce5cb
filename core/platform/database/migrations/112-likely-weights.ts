/** What a search for likely duplicates learned of its readers, and how sure its groups are without that. */
export const likelyWeights = `
ALTER TABLE likely_searches ADD COLUMN learned {json};
ALTER TABLE likely_groups ADD COLUMN shipped DOUBLE PRECISION NOT NULL DEFAULT 0;
UPDATE likely_groups SET shipped = confidence;
`
