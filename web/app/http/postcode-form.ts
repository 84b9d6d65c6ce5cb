import type { AppContext } from '#core/context.ts'
import { storePostcodes } from '#core/postcode-files/store-postcodes.ts'
import { bodyOf, receiveFile } from './receive-upload.ts'

/** Texts of the specification. */
export const postcodesTaken = 'Postcode data file successfully uploaded. Processing data. This may take a while'
export const postcodesRefused = {
  message: 'Reader data failed due to data errors',
  hint: 'Please fix the errors and retry',
}

/** Takes the postcode file of a form and gives the page to go on to. */
export async function takePostcodes(ctx: AppContext, request: Request, publicationId: number): Promise<string> {
  await receiveFile(ctx, publicationId, bodyOf(request), (file) => storePostcodes(ctx, { publicationId, ...file }))
  return `/uploadpostcodes?publication=${publicationId}`
}
