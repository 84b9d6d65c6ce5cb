import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { type ReaderActivation, setReaderActive } from './set-reader-active.ts'

/** Deactivates a reader: it gets no more copies or mailings, and its record and orders are kept. Idempotent. */
export const deactivateReader = useCase({
  permission: 'reader:write',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  run: (ctx, { id }): Promise<ReaderActivation> => setReaderActive(ctx, id, false),
})
