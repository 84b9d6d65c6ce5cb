import { z } from 'zod'
import { AppError } from '#core/kernel/errors.ts'
import { optionalSetting } from '../optional-setting.ts'

/** The provider of the addresses of a postcode; null: none, addresses are entered manually. */
export type PostcodeSettings =
  | { provider: 'demo' }
  | { provider: 'ideal-postcodes' | 'get-address'; key: string; base: string }
  | null

const defaultBases = {
  'ideal-postcodes': 'https://api.ideal-postcodes.co.uk',
  'get-address': 'https://api.getaddress.io',
}

/** The variables of the look-up, as `env.ts` reads them. */
export const postcodeVariables = {
  POSTCODE_LOOKUP_PROVIDER: optionalSetting(
    z.enum(['ideal-postcodes', 'get-address', 'demo', 'none'], 'must be ideal-postcodes, get-address, demo or none'),
  ),
  POSTCODE_LOOKUP_KEY: optionalSetting(z.string().trim()),
  POSTCODE_LOOKUP_BASE: optionalSetting(z.url('must be a web address')),
}

const Variables = z.object(postcodeVariables)

/** A key without a provider's name is for Ideal Postcodes. Without either, demo addresses are used outside production, and none in production. */
export function postcodeSettings(variables: z.output<typeof Variables>, isProduction: boolean): PostcodeSettings {
  const { POSTCODE_LOOKUP_PROVIDER: named, POSTCODE_LOOKUP_KEY: key, POSTCODE_LOOKUP_BASE: base } = variables
  const provider = named ?? (key ? 'ideal-postcodes' : isProduction ? 'none' : 'demo')
  if (provider === 'none') return null
  if (provider === 'demo') return { provider }
  if (!key) {
    throw new AppError('invalid', `The settings are wrong: POSTCODE_LOOKUP_PROVIDER is ${provider} without a key`, {
      hint: 'Set POSTCODE_LOOKUP_KEY to the key of your account there, or POSTCODE_LOOKUP_PROVIDER to none',
    })
  }
  return { provider, key, base: (base ?? defaultBases[provider]).replace(/\/+$/, '') }
}
