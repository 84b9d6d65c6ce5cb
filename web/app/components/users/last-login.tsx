import { Moment } from '../ui/formats.tsx'

interface LastLoginProps {
  lastLoginAt: Date | null
  invitedAt: Date | null
  hasPassword: boolean
  timeZone: string
}

/** The time of the last log-in, or why there is none. */
export function LastLogin({ lastLoginAt, invitedAt, hasPassword, timeZone }: LastLoginProps) {
  if (lastLoginAt) return <Moment at={lastLoginAt} timeZone={timeZone} />
  if (invitedAt && !hasPassword) {
    return (
      <>
        Invited on <Moment at={invitedAt} timeZone={timeZone} />
      </>
    )
  }
  return <>Never logged in</>
}
