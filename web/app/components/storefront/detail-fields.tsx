import type { StorefrontQuestion } from '#core/publications/storefront.rules.ts'
import { optOuts } from '#core/readers/opt-outs.rules.ts'
import { Field } from '../ui/field.tsx'
import { Checkbox, Password, Select } from '../ui/inputs.tsx'
import { Disclosure } from './disclosure.tsx'
import { type FormState, TextField } from './text-field.tsx'

/** Who buys: name, e-mail twice, and the password of the account that is made or that is there. */
export function BuyerFields({ form, passwordHint }: { form: FormState; passwordHint: string }) {
  return (
    <div className="grid gap-5 sm:grid-cols-2">
      <TextField
        form={form}
        name="title"
        label="Title"
        autoComplete="honorific-prefix"
        maxLength={30}
        className="max-w-28"
      />
      <div className="max-sm:hidden" />
      <TextField form={form} name="firstName" label="First name" isRequired autoComplete="given-name" maxLength={100} />
      <TextField form={form} name="lastName" label="Last name" isRequired autoComplete="family-name" maxLength={100} />
      <TextField
        form={form}
        name="email"
        label="Email"
        isRequired
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
      />
      <TextField
        form={form}
        name="confirmEmail"
        label="Confirm email"
        isRequired
        type="email"
        inputMode="email"
        autoComplete="email"
        autoCapitalize="none"
        spellCheck={false}
        maxLength={254}
      />
      <div className="sm:col-span-2">
        <Field label="Password" name="password" isRequired hint={passwordHint} error={form.errors.password}>
          {(control) => (
            <Password {...control} name="password" autoComplete="current-password" maxLength={200} className="h-12!" />
          )}
        </Field>
      </div>
    </div>
  )
}

/** The publication's own questions: A and B with Yes or No, the others in words. */
export function QuestionFields({ form, questions }: { form: FormState; questions: readonly StorefrontQuestion[] }) {
  return (
    <div className="grid gap-5">
      {questions.map(({ key, text, kind }) => {
        const name = `answers.${key}`
        if (kind === 'text')
          return <TextField key={key} form={form} name={name} label={text} isRequired maxLength={500} />
        return (
          <Field key={key} label={text} name={name} error={form.errors[name]} isRequired>
            {(control) => (
              <Select
                {...control}
                name={name}
                defaultValue={form.values[name] ?? ''}
                className="h-12! max-w-44 bg-surface!"
              >
                <option value="">Choose</option>
                <option value="Yes">Yes</option>
                <option value="No">No</option>
              </Select>
            )}
          </Field>
        )
      })}
    </div>
  )
}

/** The eight consent ticks, ticked until somebody unticks them. The hidden field before each says what an empty tick means. */
export function OptOutFields({ form }: { form: FormState }) {
  return (
    <Disclosure label="Offers and news: choose what you hear from us">
      <fieldset className="pt-2">
        <legend className="text-body text-ink-2">A ticked box means you do not want it.</legend>
        <div className="mt-3 grid gap-3 sm:grid-cols-2">
          {optOuts.map(({ field, label }) => (
            <div key={field}>
              <input type="hidden" name={`optOuts.${field}`} value="false" />
              <Checkbox
                name={`optOuts.${field}`}
                value="true"
                label={`No ${label.charAt(0).toLowerCase()}${label.slice(1)}`}
                defaultChecked={form.values[`optOuts.${field}`] !== 'false'}
              />
            </div>
          ))}
        </div>
      </fieldset>
    </Disclosure>
  )
}
