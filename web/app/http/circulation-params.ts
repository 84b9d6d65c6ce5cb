import { listParams } from './list-params.ts'
import { idParam } from './param-id.ts'

/** The circulation query from a URL's query string. */
export function circulationParams(request: Request) {
  const { publication, on = '', since = '', spares } = listParams(request)
  return {
    publicationId: publication ? idParam(publication, 'The publication') : undefined,
    on,
    since,
    spares: spares?.trim() || undefined,
  }
}
