import { Form, Link, useNavigation, useSearchParams } from '@remix-run/react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { Button } from '../ui/button.tsx'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/inputs.tsx'

interface CodeFormProps {
  /** The door one came in by. */
  startAgain: string
  problem:
    | { message: string; hint: string | undefined; fields: FieldErrors; values: Record<string, string> }
    | undefined
}

/** The second step: the code of the app, or with `?with=recovery` one of the recovery codes, which have letters. */
export function CodeForm({ startAgain, problem }: CodeFormProps) {
  const isPending = useNavigation().formMethod === 'POST'
  const [params] = useSearchParams()
  const isRecovery = params.get('with') === 'recovery'
  useErrorTitle(problem !== undefined)
  return (
    <Form method="post" noValidate className="card space-y-5 p-5 lg:p-6">
      {problem && <ErrorSummary message={problem.message} hint={problem.hint} fields={problem.fields} />}
      <Field
        label={isRecovery ? 'Recovery code' : 'Code'}
        name="code"
        hint={
          isRecovery
            ? 'One of the ten you were given, such as abcd-efgh-jkmn-pqrs. Each is good once.'
            : 'The six digits that your authenticator app shows now'
        }
        isRequired
        isUnmarked
        error={problem?.fields.code}
      >
        {(control) => (
          <Input
            {...control}
            key={isRecovery ? 'recovery' : 'app'}
            name="code"
            inputMode={isRecovery ? 'text' : 'numeric'}
            autoComplete={isRecovery ? 'off' : 'one-time-code'}
            autoCapitalize="none"
            spellCheck={false}
            maxLength={60}
            defaultValue={problem?.values.code}
            className={isRecovery ? '' : 'numeric max-w-40'}
          />
        )}
      </Field>
      <Button type="submit" kind="primary" isWide isPending={isPending}>
        Log In
      </Button>
      <p className="flex flex-wrap justify-between gap-x-6 gap-y-2 text-body">
        <Link to={`?${withoutOrWith(params, isRecovery)}`} replace className="link">
          {isRecovery ? 'Use the code of the app' : 'Use a recovery code'}
        </Link>
        <Link to={startAgain} className="link">
          Start again
        </Link>
      </p>
    </Form>
  )
}

function withoutOrWith(params: URLSearchParams, isRecovery: boolean): string {
  const other = new URLSearchParams(params)
  if (isRecovery) other.delete('with')
  else other.set('with', 'recovery')
  return other.toString()
}
