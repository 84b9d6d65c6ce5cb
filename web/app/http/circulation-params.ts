import { listParams } from './list-params.ts'
import { idParam } from './param-id.ts'

/** The circulation query of an address. */
export function circulationParams(request: Request) {
  const { publication, on = '', since = '', spares } = listParams(request)
  return {
    publicationId: publication ? idParam(publication, 'The publication') : undefined,
    on,
    since,
    spares: spares?.trim() || undefined,
  }
}
