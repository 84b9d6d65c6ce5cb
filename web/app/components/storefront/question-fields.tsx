import { orderLimits } from '#core/orders/order-limits.rules.ts'
import type { StorefrontQuestion } from '#core/storefronts/storefront.rules.ts'
import { useT } from '../../i18n/use-t.tsx'
import { Field } from '../ui/field.tsx'
import { Select } from '../ui/inputs.tsx'
import { type FormState, TextField } from './text-field.tsx'

/** The publication's own questions: A and B with Yes or No, the others with a text. */
export function QuestionFields({ form, questions }: { form: FormState; questions: readonly StorefrontQuestion[] }) {
  const t = useT()
  return (
    <div className="grid gap-5">
      {questions.map(({ key, text, kind }) => {
        const name = `answers.${key}`
        const error = form.errors[name]
        if (kind === 'text')
          return <TextField key={key} form={form} name={name} label={text} isRequired maxLength={orderLimits.answer} />
        return (
          <Field key={key} label={text} name={name} error={error && t.phrase(error)} isRequired>
            {(control) => (
              <Select
                {...control}
                name={name}
                defaultValue={form.values[name] ?? ''}
                className="h-12! max-w-44 bg-surface!"
              >
                <option value="">{t('Choose')}</option>
                <option value="Yes">{t('Yes')}</option>
                <option value="No">{t('No')}</option>
              </Select>
            )}
          </Field>
        )
      })}
    </div>
  )
}
