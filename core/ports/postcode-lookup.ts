/**
 * A provider's answer to a postcode. An address is one text, its parts separated by commas: the address lines, then the town, then the county;
 * a part may be empty. `noAnswer`: the provider could not be reached, or could not answer.
 */
export type PostcodeLookupResult =
  | { result: 'found'; addresses: string[] }
  | { result: 'unknown' }
  | { result: 'noAnswer' }

/** The port to a provider of the addresses of British postcodes. Calls have a timeout and never throw. */
export interface PostcodeLookup {
  /** Identifies the provider, so that cached answers of one are not used for another. */
  readonly provider: string
  /** Takes a postcode in its standard format: SW1A 1AA. */
  find(postCode: string): Promise<PostcodeLookupResult>
}
