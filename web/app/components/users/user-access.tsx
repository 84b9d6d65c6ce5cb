import { Link } from '@remix-run/react'
import type { UserView } from '#core/users/get-user.query.ts'
import { Badge } from '../ui/badge.tsx'
import { Fact, Facts, Section } from '../ui/facts.tsx'
import { Moment } from '../ui/formats.tsx'
import { ActionButton } from './action-button.tsx'
import { Deactivation } from './deactivation.tsx'
import { LastLogin } from './last-login.tsx'

/** The state of a user's log-in, with buttons to change it. */
export function UserAccess({ user, name, timeZone }: { user: UserView; name: string; timeZone: string }) {
  const { reasons } = user
  return (
    <Section title="Access">
      <Facts>
        <Fact label="Status">
          {user.isActive ? (
            user.isPublisherActive ? (
              <Badge tone="success">Active</Badge>
            ) : (
              <Badge tone="warning">Publisher deactivated</Badge>
            )
          ) : (
            <Badge tone="warning">Deactivated</Badge>
          )}
        </Fact>
        <Fact label="Last log-in">
          <LastLogin {...user} timeZone={timeZone} />
        </Fact>
        <Fact label="Two-step log-in" isWide>
          {user.twoStepSince ? (
            <>
              On since <Moment at={user.twoStepSince} timeZone={timeZone} />
            </>
          ) : (
            'Off'
          )}
        </Fact>
      </Facts>
      <div className="mt-5 space-y-4">
        {user.isActive && user.isPublisherActive && !user.hasPassword && user.may.edit && (
          <ActionButton intent="invite" user={{ id: user.id, name }} label="Invite again" />
        )}
        {user.twoStepSince && reasons.resetTwoStep === null && (
          <div>
            <ActionButton intent="reset-two-step" user={{ id: user.id, name }} label="Turn two-step log-in off" />
            <p className="mt-1 text-table text-muted">
              For users who have lost their phone and their recovery codes. The user is logged out and notified by
              email.
            </p>
          </div>
        )}
        {user.isActive ? (
          <Deactivation
            user={{ id: user.id, name, userType: user.userType, dependents: user.dependents }}
            reason={reasons.deactivate}
          />
        ) : (
          reasons.deactivate === null && (
            <ActionButton intent="reactivate" user={{ id: user.id, name }} label="Reactivate" />
          )
        )}
        {user.userType === 'publisher' && user.dependents.staff > 0 && (
          <p className="text-body">
            <Link to={`/users?keyedTo=${user.id}`} className="link">
              See the staff
            </Link>
          </p>
        )}
      </div>
    </Section>
  )
}
