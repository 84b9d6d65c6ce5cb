import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { getPublicationFields } from './get-publication-fields.query.ts'
import { publicationSteps } from './publication.input.ts'
import { lockPublication } from './publications.rows.ts'
import { updatePublication } from './update-publication.ts'

/** A field as forms and programs send it; the rules of all fields together validate it. */
const Sent = z.union([z.string(), z.number(), z.boolean()]).nullish()
const names = [...Object.values(publicationSteps).flatMap((step) => Object.keys(step)), 'sellsBackIssues']

/** Changes the fields that are sent, all or none of them; a field that was not sent is unchanged. */
export const editPublication = useCase({
  permission: 'publication:write',
  input: z
    .object(Object.fromEntries(names.map((name) => [name, Sent])))
    .extend({ id: z.coerce.number('Required').int() }),
  async run(ctx, { id, ...sent }): Promise<{ id: number; urlKey: string }> {
    // The fields that were not sent are written as they are read here.
    await lockPublication(ctx, Number(id))
    const { fields, sellsBackIssues } = await getPublicationFields(ctx, { id })
    const changes = Object.fromEntries(Object.entries(sent).filter(([, value]) => value !== undefined))
    return updatePublication(ctx, { ...fields, sellsBackIssues, ...changes, id })
  },
})
