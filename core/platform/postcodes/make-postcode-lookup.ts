import type { Log } from '#core/context.ts'
import type { PostcodeLookup, PostcodeLookupResult } from '#core/ports/postcode-lookup.ts'
import { RefusedLookup } from './call-postcode-provider.ts'
import { demoAddresses } from './demo-addresses.ts'
import { callGetAddress } from './get-address.ts'
import { callIdealPostcodes } from './ideal-postcodes.ts'
import type { PostcodeSettings } from './postcode-settings.ts'

const lookUps = { 'ideal-postcodes': callIdealPostcodes, 'get-address': callGetAddress }

/** The provider that the settings name; null if addresses are entered manually. */
export function makePostcodeLookup(settings: PostcodeSettings, log: Log): PostcodeLookup | null {
  if (!settings) return null
  if (settings.provider === 'demo') return { provider: 'demo', find: async (postCode) => demoAddresses(postCode) }
  const { provider, base, key } = settings
  return {
    provider,
    async find(postCode): Promise<PostcodeLookupResult> {
      try {
        return await lookUps[provider]({ base, key }, postCode)
      } catch (error) {
        // Neither the requested URL, which holds the key, nor the postcode, which is personal data.
        const problem = error instanceof RefusedLookup ? error.message : error instanceof Error ? error.name : 'unknown'
        log.warn({ provider, problem }, 'addresses could not be looked up')
        return { result: 'noAnswer' }
      }
    },
  }
}
