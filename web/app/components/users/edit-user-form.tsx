import { Form, Link, useNavigation } from '@remix-run/react'
import { userTypeNames } from '#core/access/user-types.ts'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { countOf } from '#core/kernel/words.ts'
import type { UserView } from '#core/users/get-user.query.ts'
import { Button, LinkButton } from '../ui/button.tsx'
import { Fact, Facts } from '../ui/facts.tsx'
import { PasswordPair } from './access-fields.tsx'
import { PersonFields, TextLine } from './person-fields.tsx'
import { RefusedForm } from './refused-form.tsx'
import { RoleCards } from './role-cards.tsx'

interface EditUserFormProps {
  user: UserView
  /** The list the user was found in. */
  backTo: string
  leastPassword: number
  problem:
    | { message: string; hint: string | undefined; fields: FieldErrors; values: Record<string, string> }
    | undefined
}

/** The fields of a user that the viewer may change; what it may not stands as text with where to go. */
export function EditUserForm({ user, backTo, leastPassword, problem }: EditUserFormProps) {
  const sent = useNavigation().formData
  const { reasons } = user
  const values = problem?.values ?? {
    firstName: user.firstName,
    lastName: user.lastName,
    email: user.email,
    companyName: user.companyName,
    userType: user.userType,
    numberOfPublications: String(user.numberOfPublications),
  }
  const given = { errors: problem?.fields ?? {}, values }
  const isStaff = ['pubadmin', 'admin', 'mailer'].includes(user.userType)
  return (
    <Form method="post" noValidate className="card space-y-6 p-4 lg:p-6">
      <RefusedForm title="User not updated" problem={problem} />
      <PersonFields {...given} hasEmail={reasons.email === null} />
      <KeptAsItIs user={user} isStaff={isStaff} />
      {user.userType === 'reseller' && !user.isSelf && (
        <TextLine {...given} name="companyName" label="Company" max={200} />
      )}
      {isStaff && reasons.type === null && <RoleCards chosen={values.userType} error={given.errors.userType} />}
      {reasons.titles === null && (
        <div className="max-w-56">
          <TextLine
            {...given}
            name="numberOfPublications"
            label="Titles allowed"
            max={4}
            inputMode="numeric"
            isRequired
            hint={`Has ${countOf(user.holds.titles, 'title')} now`}
            className="numeric"
          />
        </div>
      )}
      {reasons.password === null && (
        <details open={Boolean(given.errors.password || given.errors.password2)}>
          <summary className="link w-fit cursor-pointer text-body">
            {user.hasPassword ? 'Set another password' : 'Set a password instead of the invitation'}
          </summary>
          <p className="mt-2 mb-4 text-body text-ink-2">
            Leave both empty to keep things as they are. With a new password the user is signed out everywhere and told
            by mail.
          </p>
          <PasswordPair errors={given.errors} leastPassword={leastPassword} />
        </details>
      )}
      <div className="flex flex-wrap gap-3">
        <Button type="submit" name="intent" value="update" kind="primary" isPending={sent?.get('intent') === 'update'}>
          Update user
        </Button>
        <LinkButton to={backTo}>Cancel</LinkButton>
      </div>
    </Form>
  )
}

/** What this screen does not change, and where it is changed. */
function KeptAsItIs({ user, isStaff }: { user: UserView; isStaff: boolean }) {
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
