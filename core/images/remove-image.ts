import { z } from 'zod'
import { useCase } from '../use-case.ts'
import { imageKinds, imageShapes } from './image.rules.ts'

/** Deletes the files of a picture that nothing refers to any longer. */
export const removeImage = useCase({
  permission: 'machine:operate',
  input: z.object({ name: z.string(), kind: z.enum(imageKinds) }),
  transaction: 'none',
  run: (ctx, { name, kind }): Promise<void> => ctx.images.remove(name, imageShapes[kind]),
})
