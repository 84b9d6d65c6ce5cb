import type { Phrase } from '#core/kernel/phrases.ts'
import type { FoundAddresses } from '#core/postcodes/look-up-addresses.ts'
import { phrase } from '../../i18n/phrase.ts'

/** The result of a look-up: addresses, or an error and what to do. */
export type LookUpResult = { found: FoundAddresses } | { problem: Phrase }

const unreachable: Phrase = {
  phrases: [
    phrase('Addresses cannot be looked up at the moment'),
    '. ',
    phrase('Please enter the address manually'),
    '.',
  ],
  by: '',
}

/** Looks up the addresses of a postcode on the page's own server. Not through the router, so that typed values are kept. */
export async function findAddresses(lookupPath: string, postCode: string, signal: AbortSignal): Promise<LookUpResult> {
  try {
    const response = await fetch(`${lookupPath}?${new URLSearchParams({ postcode: postCode })}`, { signal })
    const body = (await response.json()) as Partial<FoundAddresses> & { problem?: Phrase }
    const { postCode: formatted, addresses } = body
    if (response.ok && formatted && addresses) return { found: { postCode: formatted, addresses } }
    return { problem: body.problem ?? unreachable }
  } catch {
    return { problem: unreachable }
  }
}
