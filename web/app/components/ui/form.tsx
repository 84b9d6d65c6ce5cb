import {
  type FetcherWithComponents,
  Form as RouterForm,
  type FormProps as RouterFormProps,
  useActionData,
  useNavigation,
} from '@remix-run/react'
import {
  type ComponentProps,
  type FormEvent,
  type ReactNode,
  type RefObject,
  useEffect,
  useMemo,
  useRef,
  useState,
} from 'react'
import type { AppError, FieldErrors } from '#core/kernel/errors.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Button } from './button.tsx'
import { ErrorSummary } from './error-summary.tsx'
import { useErrorTitle } from './error-title.ts'
import { focusHeading } from './focus.ts'
import { type IdentifyingFields, RestoreOffer, useFormBackup } from './form-backup.tsx'
import { contentOf, contentsOf, type FormContents, fillForm, formDiffers } from './form-contents.ts'
import { FormContext, type FormState, useFormState } from './form-context.ts'
import { FallbackLostNote, LostNote } from './lost-note.tsx'
import { useSending } from './use-sending.ts'

/** The result of an action that refused a form. */
export interface Refusal {
  message: string
  hint?: string | undefined
  fields?: FieldErrors
  /** The errors as phrases, for pages that are translated. */
  phrases?: AppError['phrases']
  values?: Record<string, string>
  /** Whether the same form, submitted again, is the same request: see `FormOptions.keys`. */
  keepsKeys?: boolean
}

interface FormOptions {
  problem: Refusal | undefined
  /** The labels of the fields by name: at the field, and in the summary. */
  labels?: Readonly<Record<string, string>>
  /** The initial values; the values of a refused submission take precedence. */
  values?: Readonly<Record<string, string | undefined>>
  /** The heading of the error summary, such as "Reader not added". Defaults to the refusal's own message. */
  failure?: string
  /**
   * On a page with several forms: the field values that identify this one in submissions and refusals, such as its intent. The first value
   * of each field is sent as a hidden field.
   */
  identifiedBy?: IdentifyingFields
  /** Submits by a fetcher, without navigation. */
  fetcher?: FetcherWithComponents<unknown>
  /** Prefix of the field ids, where a page has the same field names twice. */
  prefix?: string
  /** Sends the values that the form was opened with, as `opened`, so that a save keeps what somebody else has changed (`saveMerged`). */
  isMerged?: boolean
  /** Hidden fields; they are restored with the others. */
  hidden?: Readonly<Record<string, string>>
  /**
   * Idempotency keys, by field name: hidden fields. After a refusal the same key is sent again, because a provider or the database may have failed
   * after the work was done; after a conflict the new key is sent.
   */
  keys?: Readonly<Record<string, string>>
  /** Whether submitting the form twice has no further effect, as for a log-in. By default true for a form with `keys`. */
  isRepeatable?: boolean
  /** For a long form, whose submission is restored after a log-in. `UnsavedGuard` asks before it is left. */
  isRestorable?: boolean
  /** Whether all fields are required, and so none is marked. */
  isUnmarked?: boolean
  /** Overrides the dirty check where the native controls do not show changes. */
  isChanged?: boolean
  /** Maps a server error's field to this form's field. */
  fieldOf?: (name: string) => string
  /** Restores typed values, if the fields of the form depend on them. */
  onRestore?: (values: Record<string, string>) => void
}

interface FormHandle extends FormState {
  ref: RefObject<HTMLFormElement>
  problem: Refusal | undefined
  /** The number of successful submissions: each resets the form, and clears its passwords. */
  acceptedCount: number
  options: FormOptions
  backup: ReturnType<typeof useFormBackup>
  /** The values that the form was opened with, as JSON; undefined if it does not send them. */
  opened: string | undefined
  /** Values that are restored into hidden fields. */
  restored: Readonly<Record<string, string>>
  onInput: () => void
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  restore: () => void
}

const identity = (name: string) => name

/**
 * The state of one form: its refusal, the errors that still apply, and whether it is submitting, dirty, or offline. Pass it to `Form`;
 * fields and buttons inside use it. How to: docs/how-to/form.md.
 */
export function useForm(options: FormOptions): FormHandle {
  const { identifiedBy = {}, fieldOf = identity, isRestorable = false, fetcher } = options
  const refusal = useTranslatedRefusal(options.problem)
  const ref = useRef<HTMLFormElement>(null)
  const navigation = useNavigation()
  const submission = fetcher ?? navigation
  const sentData = submission.formMethod === 'POST' ? submission.formData : undefined
  const problem = refusal && isOfForm(identifiedBy, (name) => refusal.values?.[name] ?? '') ? refusal : undefined
  // The action's data arrives before the router has revalidated the page: from then on the form can be submitted again.
  const actionData = useActionData()
  const response = fetcher ? fetcher.data : actionData
  const previousResponse = useRef<unknown>()
  const hasNewResponse = response !== undefined && response !== previousResponse.current
  const isSent =
    sentData !== undefined &&
    !hasNewResponse &&
    isOfForm(identifiedBy, (name) => String(sentData.getAll(name).at(-1) ?? ''))
  const backup = useFormBackup(isRestorable, identifiedBy, ref)
  const [restored, setRestored] = useState<Readonly<Record<string, string>>>({})
  const { lost, isBusy, expect } = useSending(ref, { isSent, response, onRedirect: backup.markRedirected })
  const remaining = useRemainingErrors(ref, problem, fieldOf)
  const [isEdited, setEdited] = useState(false)
  const isIdle = submission.state === 'idle'
  const acceptedCount = useAcceptedCount({
    isSent,
    isIdle,
    hasResponse: response !== undefined,
    onAccepted: backup.drop,
  })
  // The initial values: a refusal must not make typed values look stored.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reset after each accepted submission
  const values = useMemo(() => ({ ...options.values, ...problem?.values }), [acceptedCount])
  // Not those of a later load, which the fields do not show. After a preview the values are the sent ones.
  // biome-ignore lint/correctness/useExhaustiveDependencies: reset after each accepted submission
  const openedValues = useMemo(() => options.values?.opened ?? JSON.stringify(options.values), [acceptedCount])
  useErrorTitle(problem !== undefined)
  useFocusAfterAccepted(acceptedCount)
  useEffect(() => {
    if (acceptedCount === 0) return
    setEdited(false)
    setRestored({})
  }, [acceptedCount])
  const hasSent = useRef(false)
  // After a response the hidden fields have the page's own values again, such as the version that the server compared.
  useEffect(() => {
    if (!hasNewResponse || !hasSent.current) return
    hasSent.current = false
    setRestored({})
  }, [hasNewResponse])

  const onInput = () => {
    remaining.recheck()
    if (ref.current) setEdited(formDiffers(ref.current))
  }
  return {
    ref,
    problem,
    options,
    values,
    errors: remaining.errors,
    labels: options.labels ?? {},
    prefix: options.prefix ?? '',
    isUnmarked: options.isUnmarked ?? false,
    isDirty: options.isChanged ?? isEdited,
    isPending: isSent && lost === null,
    pendingIntent: isSent && lost === null ? String(sentData.getAll('intent').at(-1) ?? '') : null,
    lost,
    isRepeatable: options.isRepeatable ?? Object.keys(options.keys ?? {}).length > 0,
    acceptedCount,
    backup,
    opened: options.isMerged ? (problem?.values?.opened ?? openedValues) : undefined,
    restored,
    onInput,
    onSubmit(event) {
      if (event.defaultPrevented) return
      // A double click while submitting.
      if (isBusy()) return event.preventDefault()
      const form = event.currentTarget
      previousResponse.current = response
      hasSent.current = true
      remaining.remember(form)
      backup.save(form)
      expect((event.nativeEvent as SubmitEvent).submitter)
    },
    restore() {
      const { restorable } = backup
      const form = ref.current
      backup.drop()
      if (!restorable || !form) return
      const values = Object.fromEntries(restorable)
      setRestored(values)
      if (options.onRestore) return options.onRestore(values)
      fillForm(form, restorable)
      // Fills the fields that were rendered only because of the restored values.
      setTimeout(() => {
        fillForm(form, restorable)
        onInput()
      })
    },
  }
}

/** A refusal in the language of the page. */
function useTranslatedRefusal(problem: Refusal | undefined): Refusal | undefined {
  const t = useT()
  return useMemo(() => {
    if (!problem?.phrases) return problem
    const { message, hint, fields } = problem.phrases
    return {
      ...problem,
      message: t.phrase(message),
      hint: hint && t.phrase(hint),
      fields: Object.fromEntries(Object.entries(fields).map(([name, text]) => [name, t.phrase(text)])),
    }
  }, [problem, t])
}

function isOfForm(identifiedBy: IdentifyingFields, valueIn: (name: string) => string): boolean {
  return Object.entries(identifiedBy).every(([name, value]) => [value].flat().includes(valueIn(name)))
}

/** The errors of the last refusal that still apply: an error disappears as soon as its field differs from the refused value. */
function useRemainingErrors(
  form: RefObject<HTMLFormElement>,
  problem: Refusal | undefined,
  fieldOf: (name: string) => string,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the rule stays the same while the form is mounted
  const refused = useMemo(
    () => Object.fromEntries(Object.entries(problem?.fields ?? {}).map(([name, text]) => [fieldOf(name), text])),
    [problem],
  )
  const submittedContents = useRef<FormContents | null>(null)
  const [corrected, setCorrected] = useState<{ problem: Refusal | undefined; fields: string }>({ problem, fields: '' })
  const [inputCount, setInputCount] = useState(0)
  // Runs after rendering, because typing in one field may fill another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: the count triggers the check
  useEffect(() => {
    if (!form.current || !problem) return
    const current = contentsOf(form.current)
    submittedContents.current ??= current
    const submitted = submittedContents.current
    const names = Object.keys(refused).filter((name) => contentOf(current, name) !== contentOf(submitted, name))
    setCorrected((last) => {
      const fields = names.join('\n')
      return last.problem === problem && last.fields === fields ? last : { problem, fields }
    })
  }, [inputCount, refused])
  const correctedFields = corrected.problem === problem ? corrected.fields.split('\n') : []
  return {
    errors: Object.fromEntries(Object.entries(refused).filter(([name]) => !correctedFields.includes(name))),
    recheck: () => setInputCount((count) => count + 1),
    /** Remembers the submitted values, to compare with them. */
    remember(submittedForm: HTMLFormElement) {
      submittedContents.current = contentsOf(submittedForm)
    },
  }
}

interface SubmissionState {
  isSent: boolean
  /** Whether nothing is in progress. */
  isIdle: boolean
  /** Whether the submission returned data. */
  hasResponse: boolean
  onAccepted: () => void
}

/**
 * An accepted form returns a redirect; data, such as a refusal or a preview, leaves it unchanged. If a navigation interrupts the
 * submission its result is unknown: it does not count as accepted.
 */
function useAcceptedCount({ isSent, isIdle, hasResponse, onAccepted }: SubmissionState): number {
  const [acceptedCount, setAcceptedCount] = useState(0)
  const wasSent = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: called once, when the submission ends
  useEffect(() => {
    if (wasSent.current && !isSent && !hasResponse && isIdle) {
      setAcceptedCount((count) => count + 1)
      onAccepted()
    }
    wasSent.current = isSent
  }, [isSent, hasResponse])
  return acceptedCount
}

/** An accepted form is rendered again, and its button with it: if nothing else has taken the focus, the page's heading gets it. */
function useFocusAfterAccepted(acceptedCount: number): void {
  useEffect(() => {
    if (acceptedCount > 0 && document.activeElement === document.body) focusHeading('main h1', { preventScroll: true })
  }, [acceptedCount])
}

interface FormProps extends Omit<RouterFormProps, 'method' | 'noValidate' | 'form'> {
  form: FormHandle
  /** In a form of several pages: the page of a field, null for this page. */
  pageOf?: (name: string) => string | null
  children: ReactNode
}

/** A posted form with the shared behaviour: see `useForm`. */
export function Form({ form, pageOf, onSubmit, onInput, children, ...routerProps }: FormProps) {
  const { options, problem, errors, labels, backup, prefix } = form
  const { identifiedBy = {}, hidden = {}, keys = {}, failure } = options
  const t = useT()
  const PostForm = options.fetcher?.Form ?? RouterForm
  const prefixed = <Text,>(texts: Readonly<Record<string, Text>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${prefix}${name}`, text]))
  const sentKeys = problem?.keepsKeys ? problem.values : undefined
  const keyFields = Object.entries(keys).map(([name, key]) => [name, sentKeys?.[name] || key] as const)
  const openedField = form.opened === undefined ? [] : [['opened', form.opened] as const]
  const identifyingFields = Object.entries(identifiedBy).map(
    ([name, value]) => [name, [value].flat()[0] ?? ''] as const,
  )
  return (
    <FormContext.Provider value={form}>
      {backup.restorable && <RestoreOffer onRestore={form.restore} onDrop={backup.drop} />}
      <PostForm
        key={form.acceptedCount}
        {...routerProps}
        ref={form.ref}
        method="post"
        noValidate
        onInput={(event) => {
          form.onInput()
          onInput?.(event)
        }}
        onSubmit={(event) => {
          onSubmit?.(event)
          form.onSubmit(event)
        }}
      >
        {[...identifyingFields, ...openedField, ...Object.entries(hidden), ...keyFields].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={form.restored[name] ?? value} />
        ))}
        {problem && stillApplies(problem, errors) && (
          <ErrorSummary
            refusal={problem}
            message={failure ?? problem.message}
            hint={failure ? [problem.message, problem.hint].filter(Boolean).join('. ') : problem.hint}
            fields={prefixed(errors)}
            labels={prefixed(labels)}
            pageOf={pageOf}
          />
        )}
        <p className="hidden text-table text-muted in-[form:has([data-required])]:block">
          {t('Fields marked * are required.')}
        </p>
        {children}
        <FallbackLostNote form={form.ref} />
      </PostForm>
    </FormContext.Provider>
  )
}

/** A refusal about fields no longer applies once all of them have been changed. */
function stillApplies({ fields = {} }: Refusal, errors: FieldErrors): boolean {
  return Object.keys(fields).length === 0 || Object.keys(errors).length > 0
}

interface SubmitButtonProps extends Omit<ComponentProps<typeof Button>, 'type' | 'name' | 'value' | 'isPending'> {
  /** In a form with several submit buttons: the value of this one. */
  intent?: string
}

/** The submit button. Shows a spinner while submitting. */
export function SubmitButton({ intent, kind = 'primary', ...buttonProps }: SubmitButtonProps) {
  const { isPending, pendingIntent } = useFormState()
  return (
    <Button
      {...buttonProps}
      kind={kind}
      type="submit"
      {...(intent === undefined ? {} : { name: 'intent', value: intent })}
      isPending={intent === undefined ? isPending : pendingIntent === intent}
    />
  )
}

/** The buttons at the end of a form, with the notice of a lost connection. */
export function FormButtons({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div className={`flex flex-wrap items-center gap-3 ${className}`}>
      {children}
      <LostNote />
    </div>
  )
}
