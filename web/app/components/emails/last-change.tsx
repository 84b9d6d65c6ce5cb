import type { StoredText } from '#core/emails/mail-texts.query.ts'
import { Moment } from '../ui/formats.tsx'

/** When these texts were last changed, and the user who changed them. */
export function LastChange({ texts, timeZone }: { texts: readonly StoredText[]; timeZone: string }) {
  const [first, ...others] = texts
  if (!first) return null
  const latest = others.reduce((newest, text) => (text.updatedAt > newest.updatedAt ? text : newest), first)
  return (
    <>
      {'Last saved '}
      <Moment at={latest.updatedAt} timeZone={timeZone} />
      {latest.updatedBy && ` by ${latest.updatedBy}`}
    </>
  )
}
