import { Fragment } from 'react'
import { userTypeNames } from '#core/access/user-types.ts'
import type { UserListItem } from '#core/users/user-list-row.ts'
import { Avatar } from '../ui/avatar.tsx'
import { Badge } from '../ui/badge.tsx'
import { LinkButton } from '../ui/button.tsx'
import { ActionButton } from './action-button.tsx'
import { Deactivation } from './deactivation.tsx'
import { LastLogin } from './last-login.tsx'

interface UserCardProps {
  user: UserListItem
  /** Whether to show the company, as to users who manage several companies. */
  hasCompany: boolean
  timeZone: string
}

/** A staff member: name, role, last log-in, and actions. Deactivated ones are greyed out. */
export function UserCard({ user, hasCompany, timeZone }: UserCardProps) {
  const name = `${user.firstName} ${user.lastName}`.trim() || user.email
  return (
    <li
      className={`flex min-w-0 flex-col rounded-card border border-line p-3 ${user.isActive ? 'bg-surface' : 'bg-subtle'}`}
    >
      <div className={user.isActive ? '' : 'grayscale'}>
        <Avatar file={user.avatarFile} name={name} size="medium" />
      </div>
      <h2 className="mt-2 text-body font-semibold wrap-anywhere">{name}</h2>
      <p className="text-caption wrap-anywhere text-ink-2">{breakable(user.email)}</p>
      <p className="mt-2 text-table">{userTypeNames[user.userType]}</p>
      {hasCompany && user.companyName && <p className="text-caption wrap-anywhere text-ink-2">{user.companyName}</p>}
      <p className="mt-2 text-caption text-ink-2">
        {user.lastLoginAt && 'Last log-in '}
        <LastLogin {...user} timeZone={timeZone} />
      </p>
      <p className="mt-2 mb-3">
        <State user={user} />
      </p>
      <div className="mt-auto space-y-2">
        <LinkButton id={userLinkId(user.id)} to={`/edituser/${user.id}`} size="small" isWide>
          {user.may.edit ? 'Edit User' : 'View User'}
          <span className="sr-only">: {name}</span>
        </LinkButton>
        {user.isActive && user.isPublisherActive && !user.hasPassword && user.may.edit && (
          <ActionButton intent="invite" user={{ id: user.id, name }} label="Invite again" size="small" isWide />
        )}
        {user.isActive ? (
          <Deactivation
            user={{ id: user.id, name, userType: user.userType }}
            reason={user.whyNot.deactivate}
            label="Deactivate User"
            size="small"
            isWide
          />
        ) : (
          user.may.deactivate && (
            <ActionButton intent="reactivate" user={{ id: user.id, name }} label="Reactivate" size="small" isWide />
          )
        )}
      </div>
    </li>
  )
}

function State({ user }: { user: UserListItem }) {
  if (!user.isActive) return <Badge tone="warning">Deactivated</Badge>
  if (!user.isPublisherActive) return <Badge tone="warning">Publisher deactivated</Badge>
  return <Badge tone="success">Active</Badge>
}

/** An email that wraps after its @ and dots rather than within a word. */
function breakable(email: string) {
  return email.split(/(?<=[@.])/).map((part, index) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the parts keep their order
    <Fragment key={index}>
      {index > 0 && <wbr />}
      {part}
    </Fragment>
  ))
}

/** The id of the link to a user's page in a list. */
export function userLinkId(userId: number | string): string {
  return `to-user-${userId}`
}
