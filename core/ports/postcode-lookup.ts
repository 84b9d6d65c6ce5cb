/**
 * What a provider says to a postcode. An address is one line of parts with commas between them: its lines, then the town, then the county;
 * a part may be empty. `silent`: it could not be asked, or could not answer.
 */
export type PostcodeAnswer = { says: 'found'; addresses: string[] } | { says: 'unknown' } | { says: 'silent' }

/** The port to a provider of the addresses of British postcodes. Calls have a timeout and never throw. */
export interface PostcodeLookup {
  /** What is kept of one provider is not another's. */
  readonly provider: string
  /** Takes a postcode in its proper writing: SW1A 1AA. */
  find(postCode: string): Promise<PostcodeAnswer>
}
