import type { FoundAddresses } from '#core/postcodes/look-up-addresses.ts'

/** What became of a look-up: addresses, or why there are none and what to do. */
export type Finding = { found: FoundAddresses } | { problem: string }

const unreachable = 'Addresses cannot be looked up just now. Please enter the address by hand.'

/** Asks the page's own server for the addresses of a postcode. Not by the router: what is typed meanwhile stays as it is. */
export async function findAddresses(lookUpAt: string, postCode: string, signal: AbortSignal): Promise<Finding> {
  try {
    const response = await fetch(`${lookUpAt}?${new URLSearchParams({ postcode: postCode })}`, { signal })
    const answer = (await response.json()) as Partial<FoundAddresses> & { message?: string }
    const { postCode: proper, addresses } = answer
    if (response.ok && proper && addresses) return { found: { postCode: proper, addresses } }
    return { problem: answer.message ?? unreachable }
  } catch {
    return { problem: unreachable }
  }
}
