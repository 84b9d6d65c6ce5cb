import { z } from 'zod'
import type { AppContext } from '../context.ts'
import { denied } from '../kernel/errors.ts'
import type { PublicationFieldsView } from './get-publication-fields.query.ts'
import { publicationSteps } from './publication.input.ts'
import { PublicationDrafts, storeDraft } from './publication-drafts.rows.ts'

/** A draft of a publication: the values typed so far, unchanged. */
export interface PublicationDraft {
  answers: Record<string, string>
  savedAt: Date
}

/** 0 is a new publication; any other number is the id of the edited one. Every user has at most one draft of each. */
export const draftOf = z.coerce.number('Required').int().min(0).default(0)

/** The fields of an edit besides those of the steps; shown on the last step. */
export const editSwitches = ['sellsBackIssues']
const fieldNames = new Set<string>([
  ...Object.values(publicationSteps).flatMap((step) => Object.keys(step)),
  ...editSwitches,
])

/** The stored values of a publication as the wizard's form sends them: a ticked checkbox is `on`, any other is empty. */
export function storedAnswers({ fields, sellsBackIssues }: PublicationFieldsView): Record<string, string> {
  return Object.fromEntries(
    Object.entries({ ...fields, sellsBackIssues }).map(([name, value]) => [
      name,
      typeof value === 'string' ? value : value ? 'on' : '',
    ]),
  )
}

function userOf({ actor }: AppContext): number {
  if (actor.kind !== 'staff') throw denied()
  return actor.userId
}

/** What the user has entered so far; null if nothing is stored. Names that are no longer fields are dropped. */
export async function readDraft(ctx: AppContext, id: number): Promise<PublicationDraft | null> {
  const draft = await PublicationDrafts.find(ctx, { userId: userOf(ctx), publicationId: id })
  if (!draft) return null
  const answers = Object.fromEntries(Object.entries(draft.answers).filter(([name]) => fieldNames.has(name)))
  return { answers, savedAt: draft.updatedAt }
}

export async function writeDraft(ctx: AppContext, id: number, answers: string): Promise<void> {
  await storeDraft(ctx, { userId: userOf(ctx), publicationId: id, answers })
}

export async function deleteDraft(ctx: AppContext, id: number): Promise<void> {
  await PublicationDrafts.remove(ctx, { userId: userOf(ctx), publicationId: id })
}
