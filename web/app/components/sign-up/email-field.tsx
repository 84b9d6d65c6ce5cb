import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useRef, useState } from 'react'
import { Field } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'
import { Input } from '../ui/inputs.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** Delay before the spinner is shown, in milliseconds: a fast check shows none. */
const quietMs = 400

/** The email of a new account: checked when the field is left, and again on submit. */
export function EmailField() {
  const form = useFormState()
  const [email, setEmail] = useState(form.values.email ?? '')
  const [checkResult, setCheckResult] = useState<{ email: string; problem: string | null } | null>(null)
  const [isChecking, setChecking] = useState(false)
  const request = useRef<AbortController>()
  useEffect(() => () => request.current?.abort(), [])
  const typed = email.trim()

  async function check(): Promise<void> {
    request.current?.abort()
    // The check that was aborted leaves its spinner on.
    setChecking(false)
    // Checks only a changed value that looks like an email, so that tabbing through the field shows no error.
    if (typed === '' || typed === form.values.email || !typed.includes('@')) return
    const controller = new AbortController()
    request.current = controller
    const { signal } = controller
    const slow = setTimeout(() => setChecking(true), quietMs)
    try {
      const response = await fetch(`/api/users/email/${encodeURIComponent(typed)}`, { signal })
      const body = (await response.json()) as { message?: string; email?: { message: string } }
      if (response.ok) setCheckResult({ email: typed, problem: null })
      else if (response.status === 409 || response.status === 422)
        setCheckResult({ email: typed, problem: body.email?.message ?? body.message ?? null })
    } catch {
      // No response: the email is checked again on submit.
    } finally {
      clearTimeout(slow)
      if (!signal.aborted) setChecking(false)
    }
  }

  const current = checkResult?.email === typed ? checkResult : null
  return (
    <Field name="email" isRequired error={current ? (current.problem ?? '') : form.errors.email}>
      {(control) => (
        <>
          <Input
            {...control}
            name="email"
            type="email"
            autoComplete="email"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={254}
            value={email}
            onChange={({ target }) => setEmail(target.value)}
            onBlur={() => void check()}
          />
          <p role="status" className="mt-1.5 flex min-h-5 items-center gap-1.5 text-table">
            {isChecking && (
              <>
                <Spinner />
                <span className="text-ink-2">Checking…</span>
              </>
            )}
            {!isChecking && current?.problem === null && (
              <>
                <CircleCheck size={16} aria-hidden="true" className="text-success" />
                <span className="font-medium text-success">This email is available</span>
              </>
            )}
          </p>
        </>
      )}
    </Field>
  )
}
