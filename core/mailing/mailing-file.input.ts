import { z } from 'zod'
import { DayInput } from '../kernel/day-input.ts'
import { findZone, type PostalZone, postalZones } from '../kernel/postal-zones.rules.ts'
import { quoted } from '../kernel/text-format.ts'
import { hasPublicationRef, publicationRef } from '../publications/publication-ref.input.ts'
import { KeyLine } from './layout.input.ts'
import { encodings } from './layout.rules.ts'

/** Zones in postal order, from a list or from words separated by commas; blank is all of them. */
const Zones = z
  .union([z.string(), z.array(z.string())])
  .default('')
  .transform((value, context): PostalZone[] => {
    const words = (typeof value === 'string' ? value.split(',') : value).filter((word) => word.trim() !== '')
    const unknown = words.find((word) => findZone(word) === undefined)
    if (unknown !== undefined)
      context.addIssue({ code: 'custom', message: `${quoted(unknown.trim())} is not a zone: use uk, europe or world` })
    const chosen = words.map(findZone)
    return words.length === 0 ? [...postalZones] : postalZones.filter((zone) => chosen.includes(zone))
  })

/** The mailing file to make, and settings that override those of its layout. */
export const MailingFileInput = z
  .object({
    ...publicationRef,
    on: DayInput,
    /** A layout's name in any case; blank is the standard one. */
    layout: z.string().default(''),
    zones: Zones,
    split: z.boolean().optional(),
    encoding: z.enum(encodings, 'Choose utf-8, utf-8-bom or windows-1252').optional(),
    bom: z.boolean().optional(),
    keyLine: KeyLine.optional(),
    dryRun: z.boolean().default(false),
  })
  .refine(...hasPublicationRef)
