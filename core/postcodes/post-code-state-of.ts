import type { AppContext } from '../context.ts'
import { postalZone } from '../kernel/postal-zones.rules.ts'
import { livePostcodeFile } from './live-file.query.ts'
import { type PostCodeState, postCodeState } from './post-code.rules.ts'
import { isOutsidePostcodeFiles, postcodeKey } from './postcode-cell.rules.ts'

/**
 * The state of one postcode at a publication: whether it is valid in its country and, if the publication has a postcode file, listed in that.
 * `country` is the reader's own or, if that is blank, the publisher's.
 */
export async function postCodeStateOf(
  ctx: Pick<AppContext, 'db'>,
  publicationId: number,
  postCode: string,
  country: string,
): Promise<PostCodeState> {
  const state = postCodeState(postCode, country)
  const key = postCode === '' || state !== 'ok' || postalZone(country) !== 'uk' ? null : postcodeKey(postCode)
  if (key === null || isOutsidePostcodeFiles(key)) return state
  const file = await livePostcodeFile(ctx.db, publicationId)
  if (!file) return state
  const [listed] = await ctx.db.query(
    `SELECT 1 AS listed FROM postcodes WHERE file_id = :fileId AND post_code = :key`,
    {
      fileId: file.id,
      key,
    },
  )
  return listed ? 'ok' : 'queried'
}
