import { z } from 'zod'
import type { PostcodeLookupResult } from '#core/ports/postcode-lookup.ts'
import { formatAddress } from '#core/postcodes/address-parts.rules.ts'
import { townName } from '#core/postcodes/town-name.rules.ts'
import { callPostcodeProvider } from './call-postcode-provider.ts'

const line = z.string().nullish()
const ResponseSchema = z.object({
  result: z.array(z.object({ line_1: line, line_2: line, line_3: line, post_town: line, county: line })),
})

/** Ideal Postcodes: a company's name is the first line of its address, towns are in capitals, and only successful look-ups are charged. */
export async function callIdealPostcodes(
  { base, key }: { base: string; key: string },
  postCode: string,
): Promise<PostcodeLookupResult> {
  const url = new URL(`${base}/v1/postcodes/${encodeURIComponent(postCode)}`)
  url.searchParams.set('api_key', key)
  const response = await callPostcodeProvider(url)
  if (response === null) return { result: 'unknown' }
  const { result } = ResponseSchema.parse(response)
  return {
    result: 'found',
    addresses: result.map(({ line_1, line_2, line_3, post_town, county }) =>
      formatAddress({
        lines: [line_1 ?? '', line_2 ?? '', line_3 ?? ''],
        town: townName(post_town ?? ''),
        county: county ?? '',
      }),
    ),
  }
}
