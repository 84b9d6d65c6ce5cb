import { z } from 'zod'
import { countryName } from '../kernel/countries.ts'
import { detectCountry } from '../kernel/detect-country.rules.ts'
import { useCase } from '../use-case.ts'

/** The country a visitor's prices are in until they choose another: only by the headers of the call, without any look-up service. */
export const visitorCountry = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  async run({ origin }): Promise<{ code: string; country: string }> {
    const code = detectCountry(origin)
    return { code, country: countryName(code) }
  },
})
