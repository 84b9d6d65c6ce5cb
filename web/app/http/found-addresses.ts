import { type AppError, errorKinds, isAppError } from '#core/kernel/errors.ts'
import { english, type Phrase } from '#core/kernel/phrases.ts'
import type { FoundAddresses } from '#core/postcodes/look-up-addresses.ts'

/** The server caches look-ups; browsers and proxies must not. */
const noStore = { 'Cache-Control': 'no-store' }

/** The addresses of a postcode for an address form; an error says what to do instead. */
export async function addressesResponse(find: () => Promise<FoundAddresses>): Promise<Response> {
  try {
    return Response.json(await find(), { headers: noStore })
  } catch (error) {
    if (!isAppError(error) || errorKinds[error.kind].status === 500) throw error
    const { kind, phrases, retryAfterSeconds } = error
    const problem = problemIn(phrases)
    const headers = retryAfterSeconds === undefined ? noStore : { ...noStore, 'Retry-After': String(retryAfterSeconds) }
    return Response.json({ message: english(problem), problem }, { status: errorKinds[kind].status, headers })
  }
}

function problemIn({ message, hint, fields }: AppError['phrases']): Phrase {
  if (fields.postCode) return fields.postCode
  return hint ? { phrases: [message, '. ', hint, '.'], by: '' } : message
}
