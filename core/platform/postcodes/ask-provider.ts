/** A buyer waits in front of a form: longer than this, and typing is quicker. */
const timeoutMs = 4_000

/** Asks a provider once, within a bound. Gives its JSON, or null where it does not know the postcode; anything else is thrown. */
export async function askProvider(address: URL): Promise<unknown> {
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

/** The provider answered something other than addresses: no credit left, a key it does not know, too many questions. */
export class RefusedLookup extends Error {
  constructor(status: number) {
    super(`answered ${status}`)
  }
}
