import CircleAlert from 'lucide-react/icons/circle-alert'
import CircleCheck from 'lucide-react/icons/circle-check'
import { useEffect, useRef, useState } from 'react'
import { CopyButton } from '../ui/copy-button.tsx'
import { Field } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'
import { Input } from '../ui/inputs.tsx'
import { Spinner } from '../ui/spinner.tsx'

/** The result of a check; `problem` is null if the handle is available. */
export interface HandleCheckResult {
  urlKey: string
  problem: string | null
}

interface HandleFieldProps {
  site: string
  handle: string
  onType: (typed: string) => void
}

const delayMs = 100

/** The storefront's address: shown in full while it is typed, and checked a moment after the field is left. */
export function HandleField({ site, handle, onType }: HandleFieldProps) {
  const error = useFormState().errors.urlKey
  const [lastResult, setLastResult] = useState<HandleCheckResult | null>(null)
  const [isChecking, setChecking] = useState(false)
  const request = useRef<AbortController>()
  useEffect(() => () => request.current?.abort(), [])
  const typed = handle.trim()

  async function check(): Promise<void> {
    request.current?.abort()
    setChecking(typed !== '')
    if (typed === '') return
    const controller = new AbortController()
    request.current = controller
    const { signal } = controller
    try {
      await new Promise((resolve) => setTimeout(resolve, delayMs))
      if (signal.aborted) return
      // A plain fetch: the router would revalidate or abort it when the page's form is submitted.
      const response = await fetch(`/addpublication/handle?${new URLSearchParams({ urlKey: typed })}`, { signal })
      if (response.ok && !response.redirected) setLastResult((await response.json()) as HandleCheckResult)
    } catch {
      // No response: the handle is checked again on submit.
    } finally {
      if (!signal.aborted) setChecking(false)
    }
  }

  // The error of the submitted form is shown until a check has a newer result.
  const currentResult = lastResult?.urlKey === typed ? lastResult : null
  const problem = currentResult ? (currentResult.problem ?? '') : isChecking ? '' : error
  return (
    <Field
      name="urlKey"
      isRequired
      error={problem}
      hint={
        <>
          Your storefront’s address, which cannot be changed later:{' '}
          <span className="wrap-anywhere">
            {withoutProtocol(site)}
            <strong className="font-semibold text-ink">{typed || 'handle'}</strong>
          </span>
        </>
      }
    >
      {(control) => (
        <>
          <Input
            {...control}
            name="urlKey"
            value={handle}
            maxLength={100}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            onChange={({ target }) => onType(target.value)}
            onBlur={() => void check()}
            className="max-w-md"
          />
          <p role="status" className="mt-1.5 flex min-h-5 items-center gap-1.5 text-table">
            <HandleState
              typed={typed}
              isChecking={isChecking}
              isFree={currentResult !== null && currentResult.problem === null}
              isBad={Boolean(problem)}
            />
          </p>
        </>
      )}
    </Field>
  )
}

interface HandleStateProps {
  typed: string
  isChecking: boolean
  isFree: boolean
  isBad: boolean
}

function HandleState({ typed, isChecking, isFree, isBad }: HandleStateProps) {
  if (typed === '') return <span className="text-muted">Letters, digits, hyphens and underscores</span>
  if (isChecking) {
    return (
      <>
        <Spinner />
        <span className="text-ink-2">Checking…</span>
      </>
    )
  }
  if (isFree) {
    return (
      <>
        <CircleCheck size={16} aria-hidden="true" className="text-success" />
        <span className="font-medium text-success">This handle is available</span>
      </>
    )
  }
  if (isBad) {
    return (
      <>
        <CircleAlert size={16} aria-hidden="true" className="text-danger" />
        <span className="text-danger">Choose another handle</span>
      </>
    )
  }
  return <span className="text-muted">Checked when you leave the field</span>
}

/** The handle of an existing publication. */
export function FixedHandle({ site, handle }: { site: string; handle: string }) {
  return (
    <Field
      label="Handle"
      name="urlKey"
      isUnmarked
      hint="The handle cannot be changed, because every link to the storefront would break."
    >
      {(control) => (
        <div className="flex items-center gap-2">
          <Input {...control} readOnly value={withoutProtocol(site) + handle} className="max-w-md" />
          <CopyButton text={site + handle} label="Copy the address" />
        </div>
      )}
    </Field>
  )
}

function withoutProtocol(site: string): string {
  return site.replace(/^https?:\/\//, '')
}
