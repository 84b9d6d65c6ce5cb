import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { type ReaderStanding, setReaderActive } from './set-reader-active.ts'

/** Makes a deactivated reader active again, with everything as it was. One who is active already stays so. */
export const reactivateReader = useCase({
  permission: 'reader:write',
  input: z.object({ id: z.coerce.number('The reader was not found').int() }),
  run: (ctx, { id }): Promise<ReaderStanding> => setReaderActive(ctx, id, true),
})
