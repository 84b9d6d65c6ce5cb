import type { Actor } from '../access/actor.ts'
import { day, defaulted, defineTable, id, instant, integer, json, nullable, ref, text } from '../table.ts'
import type { CountsSheet } from './counts-sheet.rules.ts'
import type { Exclusion } from './mailing-file.rules.ts'

/** Mailing files that were made: their counts, and the hash of their bytes. */
export const MailingFiles = defineTable('mailing_files', {
  id: id(),
  publicationId: ref(),
  mailingOn: day(),
  included: integer(),
  excluded: json<Partial<Record<Exclusion, number>>>(),
  bytes: integer(),
  sha256: text(),
  /** The layout's name; empty for a file that was made before there were layouts. */
  layout: defaulted(text()),
  counts: nullable(json<CountsSheet>()),
  actorKind: text<Actor['kind']>(),
  actorId: nullable(ref()),
  madeAt: instant(),
})
