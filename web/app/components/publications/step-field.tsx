import type { ComponentPropsWithoutRef, ReactNode } from 'react'
import { Field } from '../ui/field.tsx'
import { Input, Textarea } from '../ui/inputs.tsx'
import type { StepProps } from './publication-wizard.tsx'
import { fieldLabels } from './wizard-steps.ts'

type Common = Pick<StepProps, 'values' | 'errors'> & {
  name: string
  hint?: ReactNode
  isRequired?: boolean
}

/** One text box of a step, with the value and the message it has. */
export function StepInput({
  values,
  errors,
  name,
  hint,
  isRequired = false,
  ...input
}: Common & Omit<ComponentPropsWithoutRef<'input'>, keyof Common | 'form'>) {
  return (
    <Field label={fieldLabels[name] ?? name} name={name} hint={hint} error={errors[name]} isRequired={isRequired}>
      {(control) => <Input {...input} {...control} name={name} defaultValue={values[name]} />}
    </Field>
  )
}

export function StepText({
  values,
  errors,
  name,
  hint,
  ...text
}: Common & Omit<ComponentPropsWithoutRef<'textarea'>, keyof Common | 'form'>) {
  return (
    <Field label={fieldLabels[name] ?? name} name={name} hint={hint} error={errors[name]}>
      {(control) => <Textarea {...text} {...control} name={name} defaultValue={values[name]} />}
    </Field>
  )
}
