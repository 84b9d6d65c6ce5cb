/** The weights that a search for likely duplicates learned from its readers, and the confidence of its groups without them. */
export const likelyWeights = `
ALTER TABLE likely_searches ADD COLUMN learned {json};
ALTER TABLE likely_groups ADD COLUMN shipped DOUBLE PRECISION NOT NULL DEFAULT 0;
UPDATE likely_groups SET shipped = confidence;
`
