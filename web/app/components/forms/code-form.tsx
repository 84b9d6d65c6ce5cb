import { Link, useSearchParams } from '@remix-run/react'
import { Form, FormButtons, type Refusal, SubmitButton, useForm } from '../ui/form.tsx'
import { TextField } from '../ui/form-fields.tsx'

interface CodeFormProps {
  /** The log-in page to go back to. */
  logInPath: string
  problem: Refusal | undefined
}

/** The second step of a log-in: the authenticator app's code, or with `?with=recovery` a recovery code, which has letters. */
export function CodeForm({ logInPath, problem }: CodeFormProps) {
  const [params] = useSearchParams()
  const isRecovery = params.get('with') === 'recovery'
  const label = isRecovery ? 'Recovery code' : 'Code'
  const form = useForm({ problem, labels: { code: label }, isUnmarked: true })
  return (
    <Form form={form} className="card space-y-5 p-5 lg:p-6">
      <TextField
        key={label}
        name="code"
        hint={
          isRecovery
            ? 'One of your ten recovery codes, such as abcd-efgh-jkmn-pqrs. Each works once.'
            : 'The six digits that your authenticator app shows now'
        }
        isRequired
        inputMode={isRecovery ? 'text' : 'numeric'}
        autoComplete={isRecovery ? 'off' : 'one-time-code'}
        autoCapitalize="none"
        spellCheck={false}
        maxLength={60}
        className={isRecovery ? '' : 'numeric max-w-40'}
      />
      <FormButtons>
        <SubmitButton isWide>Log in</SubmitButton>
      </FormButtons>
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-2 text-body">
        <Link to={`?${toggledParams(params, isRecovery)}`} replace className="link">
          {isRecovery ? 'Use the code from the app' : 'Use a recovery code'}
        </Link>
        <Link to={logInPath} className="link">
          Start again
        </Link>
      </p>
    </Form>
  )
}

function toggledParams(params: URLSearchParams, isRecovery: boolean): string {
  const toggled = new URLSearchParams(params)
  if (isRecovery) toggled.delete('with')
  else toggled.set('with', 'recovery')
  return toggled.toString()
}
