import { z } from 'zod'

/** A variable that is set to nothing counts as missing. */
export const blankAsMissing = (value: unknown) => (value === '' ? undefined : value)

export const optionalSetting = <Schema extends z.ZodType>(schema: Schema) =>
  z.preprocess(blankAsMissing, schema.optional())
