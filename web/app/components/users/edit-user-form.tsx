import { Link } from '@remix-run/react'
import { userTypeNames } from '#core/access/user-types.ts'
import { countOf, formatCount } from '#core/kernel/text-format.ts'
import type { UserView } from '#core/users/get-user.query.ts'
import { LinkButton } from '../ui/button.tsx'
import { ExpandableDetails } from '../ui/expandable-details.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/form-fields.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { PasswordPair } from './access-fields.tsx'
import { PersonFields } from './person-fields.tsx'
import { RoleCards } from './role-cards.tsx'
import { userLabels } from './user-labels.ts'

interface EditUserFormProps {
  user: UserView
  /** The list that contains the user. */
  backTo: string
  minPasswordLength: number
  problem: Refusal | undefined
}

/** The fields of a user that the viewer may change; the others are shown read-only. */
export function EditUserForm({ user, backTo, minPasswordLength, problem }: EditUserFormProps) {
  const { reasons } = user
  const { titles, titlesUsed } = user.dependents
  const form = useForm({
    problem,
    identifiedBy: { intent: 'update' },
    values: storedUserValues(user),
    isMerged: true,
    labels: userLabels,
    failure: 'User not updated',
    isRestorable: true,
  })
  const isStaff = ['pubadmin', 'admin', 'mailer'].includes(user.userType)
  return (
    <Form form={form} className="card space-y-6 p-4 lg:p-6">
      <UnsavedGuard text="Your changes to this user have not been saved." />
      <PersonFields hasEmail={reasons.email === null} />
      <ReadOnlyFields user={user} isStaff={isStaff} />
      {user.userType === 'reseller' && !user.isSelf && <TextField name="companyName" maxLength={200} />}
      {isStaff && reasons.type === null && <RoleCards />}
      {reasons.titles === null && (
        <div className="max-w-56">
          <TextField
            name="numberOfPublications"
            maxLength={4}
            inputMode="numeric"
            isRequired
            hint={`${countOf(titlesUsed, 'title')} in use${titles > titlesUsed ? `, ${formatCount(titles - titlesUsed)} paused` : ''}`}
            className="numeric"
          />
        </div>
      )}
      {reasons.password === null && (
        <ExpandableDetails isOpen={Boolean(problem?.fields?.password || problem?.fields?.password2)}>
          <summary className="link w-fit cursor-pointer text-body">
            {user.hasPassword ? 'Set another password' : 'Set a password instead of the invitation'}
          </summary>
          <p className="mt-2 mb-4 text-body text-ink-2">
            Leave both blank to keep the current password. With a new password the user is logged out everywhere and
            notified by email.
          </p>
          <PasswordPair minPasswordLength={minPasswordLength} />
        </ExpandableDetails>
      )}
      <FormButtons>
        <SubmitButton>Update user</SubmitButton>
        <LinkButton to={backTo}>Cancel</LinkButton>
      </FormButtons>
    </Form>
  )
}

/** A stored user as the form shows it. */
export function storedUserValues(user: UserView): Record<string, string> {
  return {
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    companyName: user.companyName,
    userType: user.userType,
    numberOfPublications: String(user.numberOfPublications),
  }
}

/** Read-only fields, and where they are changed. */
function ReadOnlyFields({ user, isStaff }: { user: UserView; isStaff: boolean }) {
  const { reasons } = user
  const isPublisher = user.userType === 'publisher'
  const hasType = !isPublisher && reasons.type !== null
  const hasCompany = isStaff && user.companyName !== ''
  if (reasons.email === null && !hasType && !hasCompany) return null
  return (
    <Facts>
      {reasons.email !== null && (
        <Fact label="Email">
          {user.email}
          {user.isSelf && (
            <>
              {' '}
              <Link to="/account" className="link">
                Change email or password
              </Link>
            </>
          )}
        </Fact>
      )}
      {hasCompany && <Fact label="Company">{user.companyName}</Fact>}
      {hasType && <Fact label="Role">{userTypeNames[user.userType]}</Fact>}
    </Facts>
  )
}
