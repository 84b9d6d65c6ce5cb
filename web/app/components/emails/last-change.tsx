import type { StoredText } from '#core/emails/mail-texts.query.ts'
import { Moment } from '../ui/formats.tsx'

/** The latest change of these texts: when, and by whom. */
export function LastChange({ texts, timeZone }: { texts: readonly StoredText[]; timeZone: string }) {
  const [first, ...others] = texts
  if (!first) return null
  const latest = others.reduce((one, other) => (other.updatedAt > one.updatedAt ? other : one), first)
  return (
    <>
      {'Last saved '}
      <Moment at={latest.updatedAt} timeZone={timeZone} />
      {latest.updatedBy && ` by ${latest.updatedBy}`}
    </>
  )
}
