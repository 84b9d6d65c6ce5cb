import type { AppContext } from '#core/context.ts'
import { storePostcodes } from '#core/postcode-files/store-postcodes.ts'
import { bodyOf, receiveFile } from './receive-upload.ts'

/** Receives the postcode file of a form and returns the next page's address. */
export async function receivePostcodes(ctx: AppContext, request: Request, publicationId: number): Promise<string> {
  await receiveFile(ctx, publicationId, bodyOf(request), (file) => storePostcodes(ctx, { publicationId, ...file }))
  return `/uploadpostcodes?publication=${publicationId}`
}
