import { z } from 'zod'
import { ownPublication } from '../publications/own-publication.ts'
import { useCase } from '../use-case.ts'
import { findSimilar, type SimilarReader } from './find-similar.ts'

const typed = z
  .string()
  .catch('')
  .default('')
  .transform((text) => text.trim().slice(0, 254))

/** The readers who resemble the one being typed in, at most five, most confident first. Accepts a half-filled form: no field is refused. */
export const similarReaders = useCase({
  permission: 'reader:write',
  input: z.object({
    publicationId: z.coerce.number('Required').int(),
    title: typed,
    firstName: typed,
    lastName: typed,
    fullName: typed,
    email: typed,
    companyName: typed,
    addressOne: typed,
    addressTwo: typed,
    addressThree: typed,
    addressFour: typed,
    city: typed,
    postCode: typed,
    telephone: typed,
  }),
  transaction: 'none',
  async run(ctx, { publicationId, ...person }): Promise<SimilarReader[]> {
    const { id } = await ownPublication(ctx, { id: publicationId })
    return findSimilar(ctx, id, person)
  },
})
