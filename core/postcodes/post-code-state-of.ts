import type { AppContext } from '../context.ts'
import { postalZone } from '../kernel/postal-zones.rules.ts'
import { livePostcodeFile } from './live-file.query.ts'
import { type PostCodeState, postCodeState } from './post-code.rules.ts'
import { isOutsidePostcodeFiles, postcodeKey } from './postcode-cell.rules.ts'

/**
 * The state of one postcode at a publication: valid by rule and, if the publication has a file of valid ones, in it. `country` is the
 * reader's own or the publisher's.
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
