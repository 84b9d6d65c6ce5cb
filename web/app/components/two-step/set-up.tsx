import { Link } from '@remix-run/react'
import type { FormProblem } from '../../http/form.ts'
import { Section } from '../ui/facts.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/form-fields.tsx'

interface SetUpProps {
  /** The QR code to scan, as a data URL. */
  picture: string
  /** The same secret to type manually. */
  typed: string
  problem: FormProblem | undefined
}

/** Sets up an authenticator app: the user adds the secret and enters the first code. */
export function SetUp({ picture, typed, problem }: SetUpProps) {
  const form = useForm({ problem, identifiedBy: { intent: 'turn-on' }, labels: { code: 'Code' }, isUnmarked: true })
  return (
    <Section title="Set up two-step log-in">
      <div className="grid gap-6 md:grid-cols-[auto_1fr]">
        <img
          src={picture}
          alt="QR code for your authenticator app; the key to type is beside it"
          width={208}
          height={208}
          className="rounded-card border border-line"
        />
        <div className="min-w-0 space-y-5">
          <ol className="list-decimal space-y-3 pl-5 text-body">
            <li>Open your authenticator app and add an account by scanning the QR code.</li>
            <li>
              No camera? Enter this key in the app instead, and choose “time-based”:
              <code className="numeric mt-1.5 block rounded-input bg-subtle px-3 py-2 font-sans font-semibold tracking-wider wrap-break-word">
                {typed}
              </code>
            </li>
            <li>Enter the six digits that the app shows now.</li>
          </ol>
          <Form form={form} className="max-w-sm space-y-4">
            <TextField
              name="code"
              isRequired
              inputMode="numeric"
              autoComplete="one-time-code"
              maxLength={60}
              className="numeric max-w-40"
            />
            <FormButtons>
              <SubmitButton>Turn on two-step log-in</SubmitButton>
              <Link to="/account/two-step" className="link text-body">
                Cancel
              </Link>
            </FormButtons>
          </Form>
        </div>
      </div>
    </Section>
  )
}
