import { useFormState } from '../ui/form-context.ts'
import { TextField } from '../ui/form-fields.tsx'
import { Switch } from '../ui/switch.tsx'
import { CheckAnswers } from './check-answers.tsx'
import type { StepProps } from './publication-wizard.tsx'
import { fieldLabels } from './wizard-steps.ts'

/** Step 7: the last field, a summary of all answers, and what submitting does. */
export function SubmitStep({ page }: StepProps) {
  const { values } = useFormState()
  const handle = values.urlKey ?? ''
  return (
    <>
      <TextField
        name="readerPlatformKey"
        maxLength={200}
        spellCheck={false}
        className="max-w-md"
        hint="The user key that your reader platform gave you for this title, if you use one."
      />
      {page.publication && (
        <Switch
          name="sellsBackIssues"
          value="on"
          defaultChecked={values.sellsBackIssues === 'on'}
          label={fieldLabels.sellsBackIssues}
          hint="When it is on, you can add single and back issues of this title and the storefront sells them. When it is off, they are kept but not on sale."
        />
      )}
      <CheckAnswers page={page} />
      <div className="rounded-card bg-subtle px-4 py-3 text-body">
        <p className="font-semibold">What happens next</p>
        <p className="mt-1">
          {page.publication
            ? 'The changes show in the storefront at once. Orders and readers stay as they are.'
            : `The storefront opens at once at ${page.site.replace(/^https?:\/\//, '')}${handle}. You can change everything except the handle later.`}
        </p>
      </div>
    </>
  )
}
