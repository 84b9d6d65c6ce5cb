/** The refresh token that another one replaced within the half minute in which the previous token is accepted again: another tab may hold it. */
export const refreshTokens = `
ALTER TABLE app_grants ADD COLUMN sibling_hash CHAR(64);
`
