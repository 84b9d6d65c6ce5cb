import { maxTitles } from '#core/pricing/publisher-plans.rules.ts'
import { Fieldset } from '../ui/field.tsx'
import { CheckboxField, SelectField } from '../ui/form-fields.tsx'

const titleOptions = Array.from({ length: maxTitles }, (_, index) => ({
  value: String(index + 1),
  label: index === 0 ? '1 title' : `${index + 1} titles`,
}))

/** The number of titles, and whether the plan includes the app. */
export function PlanFields() {
  return (
    <>
      <SelectField name="titles" options={titleOptions} hint="For more than 10 titles, please contact us." />
      <CheckboxField name="hasApp" label="With the mobile app" />
    </>
  )
}

/** A checkbox for each title; `checkedIds` reads them from the form. Errors about them are reported under `name`. */
export function TitleCheckboxes({
  name,
  legend,
  titles,
}: {
  name: string
  legend: string
  titles: readonly { id: number; name: string }[]
}) {
  return (
    <Fieldset name={name} legend={legend}>
      {titles.map(({ id, name: title }) => (
        <CheckboxField key={id} name={`${name}.${id}`} label={title} />
      ))}
    </Fieldset>
  )
}
