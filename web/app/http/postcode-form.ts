import type { AppContext } from '#core/context.ts'
import { storePostcodes } from '#core/postcode-files/store-postcodes.ts'
import { bodyOf, receiveFile } from './receive-upload.ts'

/** Takes the postcode file of a form and gives the page to go on to. */
export async function takePostcodes(ctx: AppContext, request: Request, publicationId: number): Promise<string> {
  await receiveFile(ctx, publicationId, bodyOf(request), (file) => storePostcodes(ctx, { publicationId, ...file }))
  return `/uploadpostcodes?publication=${publicationId}`
}
