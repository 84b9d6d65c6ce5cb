import { z } from 'zod'
import { importModes } from '../imports/import-modes.rules.ts'
import { CheckboxInput, lineText, requiredText, wholeNumber } from '../kernel/form-fields.ts'
import { transferKinds } from './transfer-kinds.rules.ts'

const ids = z
  .union([z.array(z.coerce.number().int()), z.string()])
  .transform((value) => (typeof value === 'string' ? value.split(',').filter(Boolean).map(Number) : value))
  .pipe(z.array(z.number().int()).min(1, 'Choose at least one').max(20, 'Choose 20 or fewer'))

/** The fields that all kinds share and that may be changed. */
export const transferFields = {
  name: requiredText(60),
  host: lineText(255).default(''),
  port: wholeNumber(1, 65_535, 'Must be from 1 to 65535').default(22),
  login: lineText(100).default(''),
  /** Blank: unchanged. */
  password: z.string().max(500, 'Must be 500 characters or fewer').default(''),
  privateKey: z.string().trim().max(20_000, 'Must be 20,000 characters or fewer').default(''),
  passphrase: z.string().max(500, 'Must be 500 characters or fewer').default(''),
  folder: lineText(500).default(''),
  filePattern: lineText(100).default('*.csv'),
  url: lineText(500).default(''),
  headerName: lineText(100).default(''),
  headerValue: z.string().trim().max(4000, 'Must be 4,000 characters or fewer').default(''),
  importMode: z.enum(importModes, 'Choose add, combine or replace').default('combine'),
  lenient: CheckboxInput.default(false),
  maxRemovedPercent: wholeNumber(0, 100).default(10),
  layout: lineText(60).default(''),
  isOn: CheckboxInput.default(true),
  runAt: z
    .string('Required')
    .trim()
    .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'Must be a time of day such as 02:30'),
  alertUsers: ids,
}

export const NewTransfer = {
  kind: z.enum(transferKinds, 'Choose import or mailing-file'),
  protocol: z.enum(['sftp', 'https'], 'Choose sftp or https').default('sftp'),
}
