import { z } from 'zod'

/** A publication by its id or by its handle. */
export const publicationRef = {
  publicationId: z.number().int().optional(),
  urlKey: z.string().trim().min(1).max(100).optional(),
}

/** The refinement of an input that must name a publication. */
export const hasPublicationRef = [
  (input: { publicationId?: number | undefined; urlKey?: string | undefined }) =>
    input.publicationId !== undefined || input.urlKey !== undefined,
  { path: ['publicationId'] as PropertyKey[], message: 'Specify the publication by its id or handle' },
] as const

/** The input as `ownPublication` takes it. */
export function publicationOf(input: {
  publicationId?: number | undefined
  urlKey?: string | undefined
}): { id: number } | { urlKey: string } {
  return input.publicationId === undefined ? { urlKey: input.urlKey ?? '' } : { id: input.publicationId }
}
