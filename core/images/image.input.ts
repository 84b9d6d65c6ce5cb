import { z } from 'zod'
import { imageNameIn } from './image.rules.ts'

/** A picture by the name it is stored under, or by the address that was returned for it; null and blank mean none. */
export const ImageName = z
  .string()
  .trim()
  .max(2000)
  .nullish()
  .transform((text) => (text ? imageNameIn(text) : null))
