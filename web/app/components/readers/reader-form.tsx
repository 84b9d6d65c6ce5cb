import { type ReactNode, useEffect } from 'react'
import type { Day } from '#core/kernel/dates.ts'
import type { Currency } from '#core/kernel/money.ts'
import { type QuestionLetter, readerFieldLabels } from '#core/readers/reader-fields.rules.ts'
import { Form, type Refusal, useForm } from '../ui/form.tsx'
import { SaveBar } from '../ui/save-bar.tsx'
import { UnsavedGuard } from '../ui/unsaved-guard.tsx'
import { AddressPart } from './address-part.tsx'
import { ConsentPart, QuestionsPart } from './consent-part.tsx'
import { NamePart } from './name-part.tsx'
import type { ReaderValues } from './reader-values.ts'
import { RecordPart } from './record-part.tsx'
import { SubscriptionPart } from './subscription-part.tsx'

interface ReaderFormProps {
  /** Null for a new reader. */
  readerId: number | null
  values: ReaderValues
  problem: Refusal | undefined
  facts: {
    homeCountry: string
    currency: Currency
    questions: readonly { letter: QuestionLetter; question: string }[]
    today: Day
    lookupPath: string | null
    countries: readonly { code: string; name: string }[]
  }
  hidden?: Readonly<Record<string, string>>
  /** Resets the form to the stored values. */
  onDiscard: () => void
  /** Called with whether there are unsaved changes that are not being submitted. */
  onUnsaved?: (isUnsaved: boolean) => void
  /** Called with whether there are unsaved changes. */
  onDirty?: (isDirty: boolean) => void
  /** Called with the form when a field is left. */
  onLeaveField?: (form: HTMLFormElement, name: string) => void
  /** Shown above the first field: why the form was refused. */
  notice?: ReactNode
  /** Shown at the bottom: hints that appear while typing. */
  hint?: ReactNode
  /** Shown after the button. */
  atFoot?: ReactNode
}

/** The form of a reader, new or stored, with every field in its part. */
export function ReaderForm({
  readerId,
  values,
  problem,
  facts,
  hidden = {},
  notice,
  hint,
  atFoot,
  onDiscard,
  onDirty,
  onUnsaved,
  onLeaveField,
}: ReaderFormProps) {
  const form = useForm({
    problem,
    values,
    hidden,
    identifiedBy: { intent: 'save' },
    labels: labelsOf(facts.questions),
    failure: readerId === null ? 'Reader not added' : 'Reader not updated',
    isRestorable: true,
  })
  const { isDirty, isPending } = form
  useEffect(() => onDirty?.(isDirty), [isDirty, onDirty])
  useEffect(() => onUnsaved?.(isDirty && !isPending), [isDirty, isPending, onUnsaved])
  return (
    <Form
      form={form}
      className="space-y-4"
      // The response may be rendered without the pending state having been rendered before.
      onSubmit={() => onUnsaved?.(false)}
      onBlur={({ target, currentTarget }) => {
        const { name } = target as EventTarget as HTMLInputElement
        if (name) onLeaveField?.(currentTarget, name)
      }}
    >
      <UnsavedGuard text="Your changes to this reader have not been saved." />
      {/* Enter presses the first button of a form, which would otherwise be a button of a notice. */}
      <button type="submit" hidden tabIndex={-1} aria-hidden="true" />
      {notice}
      <NamePart isNew={readerId === null} />
      <AddressPart {...facts} />
      <SubscriptionPart currency={facts.currency} today={facts.today} />
      <QuestionsPart questions={facts.questions} />
      <ConsentPart />
      <RecordPart />
      <SaveBar label={readerId === null ? 'Add Reader' : 'Update Reader'} onDiscard={onDiscard} hint={hint}>
        {atFoot}
      </SaveBar>
    </Form>
  )
}

function labelsOf(questions: ReaderFormProps['facts']['questions']): Record<string, string> {
  return {
    ...readerFieldLabels,
    ...Object.fromEntries(questions.map(({ letter, question }) => [`answer${letter}`, question])),
  }
}
