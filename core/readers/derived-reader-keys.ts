import type { AppContext } from '../context.ts'
import { postCodeStateOf } from '../postcodes/post-code-state-of.ts'
import { deriveReader, type KeyedFields, type ReaderKeys } from './reader-keys.rules.ts'

/**
 * A reader's keys for a single write, its postcode checked against the publication's own file if there is one. A
 * blank country means the publisher's own.
 */
export async function derivedReaderKeys(
  ctx: AppContext,
  publicationId: number,
  fields: KeyedFields,
  homeCountry: string,
): Promise<ReaderKeys> {
  const country = fields.country || homeCountry
  const postCodeState = await postCodeStateOf(ctx, publicationId, fields.postCode, country)
  return { ...deriveReader(fields, homeCountry), postCodeState }
}
