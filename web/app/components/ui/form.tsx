import {
  type FetcherWithComponents,
  Form as RouterForm,
  type FormProps as RouterFormProps,
  useActionData,
  useLocation,
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
import { contentOf, contentsOf, type FormContents, fillForm, formDiffers } from './form-contents.ts'
import { FormContext, type FormState, useFormState } from './form-context.ts'
import { expectAnswer } from './lost-connection.ts'
import { PutBackOffer, useSentBefore } from './put-back.tsx'

/** What an action answered to a form that it refused. */
export interface Refusal {
  message: string
  hint?: string | undefined
  fields?: FieldErrors
  /** The same for a page in another language. */
  phrases?: AppError['phrases']
  values?: Record<string, string>
}

interface FormOptions {
  problem: Refusal | undefined
  /** The fields as people read them, by name: beside the field, and in the summary. */
  labels?: Readonly<Record<string, string>>
  /** What the fields begin with; what a refused form was sent with stands above it. */
  values?: Readonly<Record<string, string | undefined>>
  /** What did not happen, such as "Reader not added": heads the summary. Left out, the refusal's own message does. */
  failure?: string
  /**
   * Where a page has several forms: the values this one is known by, such as its intent, in what is sent and in what was refused. The
   * first of each is sent along.
   */
  own?: Readonly<Record<string, string | readonly string[]>>
  /** Sends the form beside the page, which stays where it is. */
  fetcher?: FetcherWithComponents<unknown>
  /** Stands before the ids of its fields, where a page has fields of the same names twice. */
  prefix?: string
  /** Sent along unseen; comes back with what is put back. */
  hidden?: Readonly<Record<string, string>>
  /** A long form: what it sent is put back after a log-in. `UnsavedGuard` asks before it is left. */
  isPutBack?: boolean
  /** Every field is needed, and none is marked. */
  isUnmarked?: boolean
  /** Where the browser's own controls do not tell whether something has changed. */
  isChanged?: boolean
  /** The field an error belongs to, where the server calls it otherwise. */
  fieldOf?: (name: string) => string
  /** Puts back what was typed, where fields come and go with their values. */
  onPutBack?: (values: Record<string, string>) => void
}

interface FormHandle extends FormState {
  ref: RefObject<HTMLFormElement>
  problem: Refusal | undefined
  /** How often it was taken: each time the form starts over, with no password left in it. */
  done: number
  options: FormOptions
  sentBefore: ReturnType<typeof useSentBefore>
  /** Values that are put back unseen. */
  putBack: Readonly<Record<string, string>>
  onInput: () => void
  onSubmit: (event: FormEvent<HTMLFormElement>) => void
  take: () => void
}

const same = (name: string) => name

/**
 * The state of one form: its own refusal, which of its messages still stand, whether it is on its way, changed, or waiting for the
 * connection. Give it to `Form`; fields and buttons inside find it there. How to: docs/how-to/form.md.
 */
export function useForm(options: FormOptions): FormHandle {
  const { own = {}, fieldOf = same, isPutBack = false, fetcher } = options
  const answered = useTranslatedRefusal(options.problem)
  const ref = useRef<HTMLFormElement>(null)
  const navigation = useNavigation()
  const way = fetcher ?? navigation
  const sent = way.formMethod === 'POST' ? way.formData : undefined
  const problem = answered && isOwn(own, (name) => answered.values?.[name] ?? '') ? answered : undefined
  // A refusal or a preview is there before the router has reloaded the page's data: from then on the form can be sent again.
  const actionData = useActionData()
  const answer = fetcher ? fetcher.data : actionData
  const sentAfter = useRef<unknown>()
  const isAnswered = answer !== undefined && answer !== sentAfter.current
  const isSent = sent !== undefined && !isAnswered && isOwn(own, (name) => String(sent.getAll(name).at(-1) ?? ''))
  const sentBefore = useSentBefore(isPutBack, ref)
  const [putBack, setPutBack] = useState<Readonly<Record<string, string>>>({})
  const { lost, isBusy, expect } = useSending(ref, { isSent, answer })
  const standing = useStandingErrors(ref, problem, fieldOf)
  const [isEdited, setEdited] = useState(false)
  const isIdle = way.state === 'idle'
  const done = useTimesDone({ isSent, isIdle, hasAnswer: answer !== undefined, onDone: sentBefore.drop })
  // What the fields began with: a refusal must not make what was typed look stored.
  // biome-ignore lint/correctness/useExhaustiveDependencies: a form that was taken starts over
  const values = useMemo(() => ({ ...options.values, ...problem?.values }), [done])
  useErrorTitle(problem !== undefined)

  const onInput = () => {
    standing.look()
    if (ref.current) setEdited(formDiffers(ref.current))
  }
  return {
    ref,
    problem,
    options,
    values,
    errors: standing.errors,
    labels: options.labels ?? {},
    prefix: options.prefix ?? '',
    isUnmarked: options.isUnmarked ?? false,
    isDirty: options.isChanged ?? isEdited,
    isPending: isSent && lost === null,
    pendingIntent: isSent && lost === null ? String(sent.getAll('intent').at(-1) ?? '') : null,
    lost,
    done,
    sentBefore,
    putBack,
    onInput,
    onSubmit(event) {
      if (event.defaultPrevented) return
      // A second press while the first is on its way.
      if (isBusy()) return event.preventDefault()
      const form = event.currentTarget
      sentAfter.current = answer
      standing.sent(form)
      sentBefore.keep(form)
      expect((event.nativeEvent as SubmitEvent).submitter)
    },
    take() {
      const { found } = sentBefore
      const form = ref.current
      sentBefore.drop()
      if (!found || !form) return
      const values = Object.fromEntries(found)
      setPutBack(values)
      if (options.onPutBack) return options.onPutBack(values)
      fillForm(form, found)
      // Fields that came with what was just put back.
      setTimeout(() => {
        fillForm(form, found)
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

function isOwn(own: NonNullable<FormOptions['own']>, valueIn: (name: string) => string): boolean {
  return Object.entries(own).every(([name, value]) => [value].flat().includes(valueIn(name)))
}

/** What becomes of what was sent: on its way, or not arrived. Offline, the form is sent again when the connection is back. */
function useSending(form: RefObject<HTMLFormElement>, { isSent, answer }: { isSent: boolean; answer: unknown }) {
  const { key } = useLocation()
  const [lost, setLost] = useState<FormState['lost']>(null)
  const submitter = useRef<HTMLElement | null>(null)
  const isOnItsWay = useRef(false)
  // A page that is busy may draw the answer, or where it led, without having drawn that the form was on its way.
  // biome-ignore lint/correctness/useExhaustiveDependencies: looked at again with each answer
  useEffect(() => {
    if (isSent) return
    isOnItsWay.current = false
    setLost(null)
  }, [isSent, answer, key])
  useEffect(() => {
    if (lost !== 'offline') return
    const sendAgain = () => form.current?.requestSubmit(submitter.current)
    window.addEventListener('online', sendAgain)
    return () => window.removeEventListener('online', sendAgain)
  }, [lost, form])
  return {
    lost,
    isBusy: () => isOnItsWay.current,
    /** Called with the button as the form is sent. */
    expect(button: HTMLElement | null) {
      submitter.current = button
      isOnItsWay.current = true
      setLost(null)
      expectAnswer((why) => {
        isOnItsWay.current = false
        setLost(why)
      })
    },
  }
}

/** The messages of the last refusal that still stand: one goes as soon as its field holds something else than what was refused. */
function useStandingErrors(
  form: RefObject<HTMLFormElement>,
  problem: Refusal | undefined,
  fieldOf: (name: string) => string,
) {
  // biome-ignore lint/correctness/useExhaustiveDependencies: the same rule for as long as the form is there
  const refused = useMemo(
    () => Object.fromEntries(Object.entries(problem?.fields ?? {}).map(([name, text]) => [fieldOf(name), text])),
    [problem],
  )
  const before = useRef<FormContents | null>(null)
  const [corrected, setCorrected] = useState<{ problem: Refusal | undefined; fields: string }>({ problem, fields: '' })
  const [looks, setLooks] = useState(0)
  // After the page has been drawn: what is typed in one field may have filled another.
  // biome-ignore lint/correctness/useExhaustiveDependencies: counted, to be looked at again
  useEffect(() => {
    if (!form.current || !problem) return
    const now = contentsOf(form.current)
    before.current ??= now
    const was = before.current
    const names = Object.keys(refused).filter((name) => contentOf(now, name) !== contentOf(was, name))
    setCorrected((last) => {
      const fields = names.join('\n')
      return last.problem === problem && last.fields === fields ? last : { problem, fields }
    })
  }, [looks, refused])
  const correctedFields = corrected.problem === problem ? corrected.fields.split('\n') : []
  return {
    errors: Object.fromEntries(Object.entries(refused).filter(([name]) => !correctedFields.includes(name))),
    look: () => setLooks((times) => times + 1),
    /** Keeps what is sent, to compare with it. */
    sent(sent: HTMLFormElement) {
      before.current = contentsOf(sent)
    },
  }
}

interface SendingEnd {
  isSent: boolean
  /** Nothing is on its way any more. */
  isIdle: boolean
  /** What was sent was answered with data. */
  hasAnswer: boolean
  onDone: () => void
}

/**
 * A form that was taken is answered with a redirect; what comes back as data, a refusal or a preview, leaves it as it is. Where the page is
 * led elsewhere while the form is on its way, nobody knows what became of it: it was not taken.
 */
function useTimesDone({ isSent, isIdle, hasAnswer, onDone }: SendingEnd): number {
  const [done, setDone] = useState(0)
  const wasSent = useRef(false)
  // biome-ignore lint/correctness/useExhaustiveDependencies: told once, when it is over
  useEffect(() => {
    if (wasSent.current && !isSent && !hasAnswer && isIdle) {
      setDone((times) => times + 1)
      onDone()
    }
    wasSent.current = isSent
  }, [isSent, hasAnswer])
  return done
}

interface FormProps extends Omit<RouterFormProps, 'method' | 'noValidate' | 'form'> {
  form: FormHandle
  /** Of a form of several pages: the page a field is on, null where it is this one. */
  pageOf?: (name: string) => string | null
  children: ReactNode
}

/** A form that is posted, and what every form does: see `useForm`. */
export function Form({ form, pageOf, onSubmit, onInput, children, ...rest }: FormProps) {
  const { options, problem, errors, labels, sentBefore, prefix } = form
  const { own = {}, hidden = {}, failure } = options
  const t = useT()
  const Sent = options.fetcher?.Form ?? RouterForm
  const prefixed = <Text,>(texts: Readonly<Record<string, Text>>) =>
    Object.fromEntries(Object.entries(texts).map(([name, text]) => [`${prefix}${name}`, text]))
  const known = Object.entries(own).map(([name, value]) => [name, [value].flat()[0] ?? ''] as const)
  return (
    <FormContext.Provider value={form}>
      {sentBefore.found && <PutBackOffer onTake={form.take} onDrop={sentBefore.drop} />}
      <Sent
        key={form.done}
        {...rest}
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
        {[...known, ...Object.entries(hidden)].map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={form.putBack[name] ?? value} />
        ))}
        {problem && hasSomething(problem, errors) && (
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
      </Sent>
    </FormContext.Provider>
  )
}

/** A refusal that was about fields is over when all of them have been changed. */
function hasSomething({ fields = {} }: Refusal, errors: FieldErrors): boolean {
  return Object.keys(fields).length === 0 || Object.keys(errors).length > 0
}

interface SubmitButtonProps extends Omit<ComponentProps<typeof Button>, 'type' | 'name' | 'value' | 'isPending'> {
  /** Where a form has several such buttons: which one it was. */
  intent?: string
}

/** Sends the form around it. It shows a ring while it does. */
export function SubmitButton({ intent, kind = 'primary', ...rest }: SubmitButtonProps) {
  const { isPending, pendingIntent } = useFormState()
  return (
    <Button
      {...rest}
      kind={kind}
      type="submit"
      {...(intent === undefined ? {} : { name: 'intent', value: intent })}
      isPending={intent === undefined ? isPending : pendingIntent === intent}
    />
  )
}

/** The buttons at a form's foot, and beside them what became of the connection. */
export function FormButtons({ children, className = '' }: { children: ReactNode; className?: string }) {
  return (
    <div className={`flex flex-wrap items-center gap-3 ${className}`}>
      {children}
      <LostNote />
    </div>
  )
}

/** Says that what was sent has not arrived, and what happens next. */
export function LostNote() {
  const t = useT()
  const { lost } = useFormState()
  if (!lost) return null
  return (
    <p role="alert" className="basis-full text-body font-medium text-danger">
      {lost === 'offline'
        ? t('You are offline. Nothing was lost: this is sent as soon as the connection is back.')
        : t('The server could not be reached. Nothing was lost: please press the button again.')}
    </p>
  )
}
