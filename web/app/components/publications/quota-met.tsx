import { LinkButton } from '../ui/button.tsx'

interface QuotaMetProps {
  used: number
  allowed: number
  contact: { name: string; email: string } | null
  hasDraft: boolean
}

/** Shown instead of the wizard when the plan includes no further title. */
export function QuotaMet({ used, allowed, contact, hasDraft }: QuotaMetProps) {
  return (
    <div className="card max-w-2xl p-5 lg:p-6">
      <h2 className="text-h3">Publication Quota Met</h2>
      <p className="mt-2 text-body">{`You have ${used} of ${allowed} ${allowed === 1 ? 'title' : 'titles'}.`}</p>
      <p className="mt-2 text-body text-ink-2">
        {contact ? (
          <>
            To add more, please contact support: {contact.name},{' '}
            <a href={`mailto:${contact.email}`} className="link">
              {contact.email}
            </a>
            .
          </>
        ) : (
          'To add more, please contact support: they can raise the number of titles in your plan.'
        )}{' '}
        A title that you no longer need can be removed to make room.
      </p>
      {hasDraft && (
        <p className="mt-2 text-body text-ink-2">What you entered for a new publication is kept until there is room.</p>
      )}
      <div className="mt-5">
        <LinkButton to="/publications" kind="primary">
          Back to your publications
        </LinkButton>
      </div>
    </div>
  )
}
