import { maxTitles } from '#core/pricing/publisher-plans.rules.ts'
import { useFormState } from '../ui/form-context.ts'
import { CheckboxField, SelectField } from '../ui/form-fields.tsx'
import { Checkbox } from '../ui/inputs.tsx'

const titleOptions = Array.from({ length: maxTitles }, (_, index) => ({
  value: String(index + 1),
  label: index === 0 ? '1 title' : `${index + 1} titles`,
}))

/** The number of titles, and whether the plan includes the app. */
export function PlanFields() {
  return (
    <>
      <SelectField name="titles" options={titleOptions} hint="More than 10 titles: please contact us." />
      <CheckboxField name="hasApp" label="With the mobile app" />
    </>
  )
}

/** A tick box for each title; `checkedIds` reads them from the form. */
export function TitleCheckboxes({
  name,
  legend,
  titles,
  checkedIds,
}: {
  name: string
  legend: string
  titles: readonly { id: number; name: string }[]
  checkedIds: readonly number[]
}) {
  const { values } = useFormState()
  return (
    <fieldset className="space-y-2">
      <legend className="mb-1 text-body font-semibold">{legend}</legend>
      {titles.map(({ id, name: title }) => (
        <div key={id}>
          <Checkbox
            id={`${name}-${id}`}
            name={`${name}.${id}`}
            value="true"
            label={title}
            defaultChecked={values[`${name}.${id}`] === 'true' || checkedIds.includes(id)}
          />
        </div>
      ))}
    </fieldset>
  )
}
