import { z } from 'zod'
import { countryName } from '../kernel/countries.ts'
import { detectCountry } from '../kernel/detect-country.rules.ts'
import { useCase } from '../use-case.ts'

/** The country whose prices a visitor sees until they choose another: derived from the request headers, without any look-up service. */
export const visitorCountry = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  async run({ origin }): Promise<{ code: string; country: string }> {
    const code = detectCountry(origin)
    return { code, country: countryName(code) }
  },
})
