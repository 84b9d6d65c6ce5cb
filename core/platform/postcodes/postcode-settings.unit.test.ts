import { describe, expect, it } from 'vitest'
import { postcodeSettings } from './postcode-settings.ts'

describe('the settings of the postcode lookup', () => {
  it.each([
    [{}, false, { provider: 'demo' }],
    [{}, true, null],
    [{ POSTCODE_LOOKUP_PROVIDER: 'none' }, false, null],
    [{ POSTCODE_LOOKUP_PROVIDER: 'demo' }, true, { provider: 'demo' }],
    [
      { POSTCODE_LOOKUP_KEY: 'ak_1' },
      true,
      { provider: 'ideal-postcodes', key: 'ak_1', base: 'https://api.ideal-postcodes.co.uk' },
    ],
    [
      { POSTCODE_LOOKUP_PROVIDER: 'get-address', POSTCODE_LOOKUP_KEY: 'ga_1', POSTCODE_LOOKUP_BASE: 'https://x.test/' },
      true,
      { provider: 'get-address', key: 'ga_1', base: 'https://x.test' },
    ],
  ] as const)('for %o (in production: %s) are %o', (variables, isProduction, settings) => {
    expect(postcodeSettings(variables, isProduction)).toEqual(settings)
  })

  it('are refused for a provider without a key, which the message names', () => {
    expect(() => postcodeSettings({ POSTCODE_LOOKUP_PROVIDER: 'get-address' }, true)).toThrow(
      /POSTCODE_LOOKUP_PROVIDER is get-address without a key/,
    )
  })
})
