import { Form, useNavigation } from '@remix-run/react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Day } from '#core/kernel/dates.ts'
import type { FieldErrors } from '#core/kernel/errors.ts'
import type { Currency } from '#core/kernel/money.ts'
import { type QuestionLetter, readerFieldLabels } from '#core/readers/reader-fields.rules.ts'
import { ErrorSummary } from '../ui/error-summary.tsx'
import { useErrorTitle } from '../ui/error-title.ts'
import { useFailureToast } from '../ui/failure-toast.ts'
import { formDiffers } from '../ui/form-differs.ts'
import { SaveBar } from '../ui/save-bar.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { AddressPart } from './address-part.tsx'
import { ConsentPart, QuestionsPart } from './consent-part.tsx'
import { NamePart } from './name-part.tsx'
import type { ReaderValues } from './reader-values.ts'
import { RecordPart } from './record-part.tsx'
import { SentBefore, useSentBefore } from './sent-before.tsx'
import { SubscriptionPart } from './subscription-part.tsx'

interface ReaderFormProps {
  /** Null for a new reader. */
  readerId: number | null
  values: ReaderValues
  problem: { message: string; hint: string | undefined; fields: FieldErrors } | undefined
  facts: {
    homeCountry: string
    currency: Currency
    questions: readonly { letter: QuestionLetter; question: string }[]
    today: Day
    lookUpAt: string | null
    countries: readonly { code: string; name: string }[]
  }
  /** Sent along unseen. */
  hidden?: Readonly<Record<string, string>>
  /** Begins the form anew, with what is stored. */
  onDiscard: () => void
  onDirty?: (isDirty: boolean) => void
  /** Told when a field is left, with the form. */
  onLeaveField?: (form: HTMLFormElement, name: string) => void
  /** Above the first field: why the form was stopped. */
  notice?: ReactNode
  /** At the foot: what comes up while one types. */
  hint?: ReactNode
  /** After the button. */
  atFoot?: ReactNode
}

const retry = 'Please fix the errors and retry'

/** The form of a reader, new or stored, with every field in its part; what was typed before one was logged out is offered again. */
export function ReaderForm(props: ReaderFormProps) {
  const { before, taken, keep, take, drop } = useSentBefore()
  const hidden = Object.entries(props.hidden ?? {}).map(([name, value]) => [name, taken?.[name] ?? value])
  return (
    <>
      {before && <SentBefore onTake={take} onDrop={drop} />}
      <ReaderFields
        key={taken ? 'taken' : 'given'}
        {...props}
        values={taken ?? props.values}
        hidden={Object.fromEntries(hidden)}
        isTaken={taken !== null}
        onSend={keep}
      />
    </>
  )
}

interface ReaderFieldsProps extends ReaderFormProps {
  /** The values are those of a form that could not be saved. */
  isTaken: boolean
  onSend: (form: HTMLFormElement) => void
}

function ReaderFields({
  readerId,
  values: given,
  problem,
  facts,
  hidden = {},
  notice,
  hint,
  atFoot,
  isTaken,
  ...on
}: ReaderFieldsProps) {
  const form = useRef<HTMLFormElement>(null)
  // What the fields began with: a refusal brings the same page again and must not count as saved.
  const [values] = useState(given)
  const [isDirty, setDirty] = useState(isTaken)
  const navigation = useNavigation()
  const isPending = navigation.state !== 'idle' && navigation.formData?.get('intent') === 'save'
  const errors = useErrors(problem)
  const state = { values, errors: errors.of }
  const failure = readerId === null ? 'Reader not added' : 'Reader not updated'
  useErrorTitle(problem !== undefined)
  useFailureToast(problem, failure, retry)
  const { onDirty } = on
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])
  const look = () => setDirty(form.current ? formDiffers(form.current) : false)
  return (
    <Form
      ref={form}
      method="post"
      noValidate
      className="space-y-4"
      onSubmit={({ currentTarget }) => on.onSend(currentTarget)}
      onInput={look}
      onChange={({ target }) => {
        look()
        errors.forget((target as EventTarget as HTMLInputElement).name)
      }}
      onBlur={({ target }) => {
        const { name } = target as EventTarget as HTMLInputElement
        if (form.current && name) on.onLeaveField?.(form.current, name)
      }}
    >
      <input type="hidden" name="intent" value="save" />
      {/* The one that Enter presses: not the first of whatever buttons a notice has. */}
      <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
      {Object.entries(hidden).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
      <UnsavedGuard isDirty={isDirty && !isPending} text="What you typed about this reader has not been saved." />
      {problem && (
        <ErrorSummary
          message={failure}
          hint={problem.message === retry ? retry : [problem.message, problem.hint].filter(Boolean).join('. ')}
          fields={withLabels(problem.fields)}
        />
      )}
      {notice}
      <NamePart form={state} isNew={readerId === null} />
      <AddressPart form={state} {...facts} />
      <SubscriptionPart form={state} currency={facts.currency} today={facts.today} />
      <QuestionsPart form={state} questions={facts.questions} />
      <ConsentPart form={state} />
      <RecordPart form={state} />
      <SaveBar
        form={form}
        isDirty={isDirty}
        isPending={isPending}
        label={readerId === null ? 'Add Reader' : 'Update Reader'}
        onDiscard={on.onDiscard}
        hint={hint}
      >
        {atFoot}
      </SaveBar>
    </Form>
  )
}

/** The messages of the last refusal; one goes away when its field is changed. */
function useErrors(problem: ReaderFormProps['problem']): { of: FieldErrors; forget: (name: string) => void } {
  const [mended, setMended] = useState<{ problem: typeof problem; names: readonly string[] }>({ problem, names: [] })
  const names = mended.problem === problem ? mended.names : []
  return {
    of: Object.fromEntries(Object.entries(problem?.fields ?? {}).filter(([name]) => !names.includes(name))),
    forget: (name) => setMended({ problem, names: [...names, name] }),
  }
}

/** "Required" alone would not say of what. */
function withLabels(fields: FieldErrors): FieldErrors {
  const labels: Record<string, string> = readerFieldLabels
  return Object.fromEntries(
    Object.entries(fields).map(([name, text]) => [name, labels[name] ? `${labels[name]}: ${text}` : text]),
  )
}
