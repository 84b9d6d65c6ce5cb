/** The buyer is waiting at a form: beyond this, typing is quicker. */
const timeoutMs = 4_000

/** Calls a provider once, with a timeout. Returns its JSON, or null if it does not know the postcode; throws for anything else. */
export async function callPostcodeProvider(address: URL): Promise<unknown> {
  const response = await fetch(address, {
    redirect: 'error',
    signal: AbortSignal.timeout(timeoutMs),
    headers: { accept: 'application/json' },
  })
  if (response.status === 404 || response.status === 400) {
    await response.body?.cancel()
    return null
  }
  if (!response.ok) {
    await response.body?.cancel()
    throw new RefusedLookup(response.status)
  }
  return response.json()
}

/** The provider returned an error instead of addresses: no credit left, an unknown key, too many requests. */
export class RefusedLookup extends Error {
  constructor(status: number) {
    super(`answered ${status}`)
  }
}
