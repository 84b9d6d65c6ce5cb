import { PublicFrame } from '../layout/public-frame.tsx'
import { LinkButton } from '../ui/button.tsx'

/** Shown where an installation takes no payments for plans and so allows no sign-up; names a contact. */
export function SignUpClosed({ contactEmail }: { contactEmail: string }) {
  return (
    <PublicFrame action={<LinkButton to="/login">Publisher log in</LinkButton>}>
      <div className="mx-auto w-full max-w-xl py-12 md:py-20">
        <h1 className="font-serif text-store-h1">Sign up</h1>
        <p className="mt-4 text-lead">Sign-up is not open on this installation at the moment.</p>
        <p className="mt-2 text-input text-ink-2">
          Write to{' '}
          <a href={`mailto:${contactEmail}`} className="link">
            {contactEmail}
          </a>{' '}
          and we will set up your account with you.
        </p>
      </div>
    </PublicFrame>
  )
}
