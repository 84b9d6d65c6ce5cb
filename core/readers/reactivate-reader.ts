import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { type ReaderActivation, setReaderActive } from './set-reader-active.ts'

/** Reactivates a reader; nothing else in the record changes. Idempotent. */
export const reactivateReader = useCase({
  permission: 'reader:write',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  run: (ctx, { id }): Promise<ReaderActivation> => setReaderActive(ctx, id, true),
})
