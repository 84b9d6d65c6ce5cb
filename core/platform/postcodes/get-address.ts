import { z } from 'zod'
import type { PostcodeLookupResult } from '#core/ports/postcode-lookup.ts'
import { formatAddress } from '#core/postcodes/address-parts.rules.ts'
import { callPostcodeProvider } from './call-postcode-provider.ts'

const line = z.string().nullish()
const Expanded = z.object({
  line_1: line,
  line_2: line,
  line_3: line,
  line_4: line,
  locality: line,
  town_or_city: line,
  county: line,
})
const ResponseSchema = z.object({ addresses: z.array(z.union([z.string(), Expanded])) })

/** getAddress and compatible providers: addresses in fields, or from older ones as a line of seven parts. */
export async function callGetAddress(
  { base, key }: { base: string; key: string },
  postCode: string,
): Promise<PostcodeLookupResult> {
  const address = new URL(`${base}/find/${encodeURIComponent(postCode)}`)
  address.searchParams.set('api-key', key)
  address.searchParams.set('expand', 'true')
  const response = await callPostcodeProvider(address)
  if (response === null) return { result: 'unknown' }
  const { addresses } = ResponseSchema.parse(response)
  return { result: 'found', addresses: addresses.map((entry) => addressLine(entry)) }
}

function addressLine(entry: string | z.output<typeof Expanded>): string {
  if (typeof entry !== 'string') {
    const { line_1, line_2, line_3, line_4, locality, town_or_city, county } = entry
    const lines = [line_1, line_2, line_3, line_4, locality].map((part) => part ?? '')
    return formatAddress({ lines, town: town_or_city ?? '', county: county ?? '' })
  }
  const parts = entry.split(',').map((part) => part.trim())
  const [town = '', county = ''] = parts.splice(-2)
  return formatAddress({ lines: parts, town, county })
}
