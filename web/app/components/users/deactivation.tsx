import { Form, useNavigation, useSubmit } from '@remix-run/react'
import { useState } from 'react'
import { Button } from '../ui/button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { consequencesOf, type DeactivationTarget, kindOf } from './deactivation-texts.ts'

interface DeactivationProps {
  user: DeactivationTarget
  /** Why deactivation is not allowed; the button is shown with the reason below it. */
  reason: string | null
  label?: string
  size?: 'small' | 'medium'
  isWide?: boolean
}

/** Less padding, for narrow cards. */
const narrow = 'px-1!'

/** The question from the specification, and what deactivating the user does. */
function Question({ user }: { user: DeactivationTarget }) {
  return (
    <>
      <p>Are you sure you want to delete this User?</p>
      <p className="mt-2">{consequencesOf(user)}</p>
    </>
  )
}

/** The button that deactivates a user, after a confirmation dialog. Without JavaScript it links to the user's page with the same question. */
export function Deactivation({
  user,
  reason,
  label = `Deactivate ${kindOf(user.userType)}`,
  size = 'medium',
  isWide = false,
}: DeactivationProps) {
  const [isOpen, setOpen] = useState(false)
  const submit = useSubmit()
  const formData = useNavigation().formData
  const isPending = formData?.get('intent') === 'deactivate' && formData.get('id') === String(user.id)
  const reasonId = `why-not-${user.id}`
  if (reason) {
    return (
      <div>
        <Button size={size} isWide={isWide} isDisabled aria-describedby={reasonId} className={isWide ? narrow : ''}>
          {label}
          <span className="sr-only">: {user.name}</span>
        </Button>
        <p id={reasonId} className="mt-1 text-caption text-muted">
          {reason}
        </p>
      </div>
    )
  }
  return (
    <Form method="get" action={`/edituser/${user.id}`}>
      <Button
        type="submit"
        name="confirm"
        value="deactivate"
        size={size}
        isWide={isWide}
        isPending={isPending}
        className={isWide ? narrow : ''}
        onClick={(event) => {
          event.preventDefault()
          setOpen(true)
        }}
      >
        {label}
        <span className="sr-only">: {user.name}</span>
      </Button>
      <ConfirmDialog
        title={`Deactivate '${user.name}'?`}
        text={<Question user={user} />}
        confirmLabel={`Deactivate ${kindOf(user.userType)}`}
        isDangerous
        isOpen={isOpen}
        onCancel={() => setOpen(false)}
        onConfirm={() => {
          setOpen(false)
          submit({ intent: 'deactivate', id: user.id }, { method: 'post', preventScrollReset: true })
        }}
      />
    </Form>
  )
}

/** The deactivation question on its own page. */
export function DeactivationConfirmation({ user, backTo }: { user: DeactivationTarget; backTo: string }) {
  const isPending = useNavigation().formMethod === 'POST'
  return (
    <section aria-labelledby="question" className="card mb-5 max-w-2xl border-danger p-5">
      <h2 id="question" className="text-h3">
        {`Deactivate '${user.name}'?`}
      </h2>
      <div className="mt-2 text-body text-ink-2">
        <Question user={user} />
      </div>
      <Form method="post" action={backTo} className="mt-4 flex flex-wrap gap-3">
        <input type="hidden" name="id" value={user.id} />
        <Button type="submit" name="intent" value="deactivate" kind="danger" isPending={isPending}>
          {`Deactivate ${kindOf(user.userType)}`}
        </Button>
        <a href={backTo} className="link self-center text-body">
          Cancel
        </a>
      </Form>
    </section>
  )
}
