import { z } from 'zod'
import { countryName } from '../kernel/countries.ts'
import { detectCountry } from '../kernel/detect-country.rules.ts'
import { useCase } from '../use-case.ts'

/** The country a visitor's prices are in until they choose another: by the headers of the call alone, nobody else is asked. */
export const visitorCountry = useCase({
  permission: 'public',
  input: z.object({}),
  transaction: 'none',
  async run({ origin }): Promise<{ code: string; country: string }> {
    const code = detectCountry(origin)
    return { code, country: countryName(code) }
  },
})
