import { Field } from './field.tsx'
import { Select } from './inputs.tsx'

interface PublicationFieldProps {
  publications: readonly { id: number; publicationName: string }[]
  chosen: number | null
  /** What no publication is called, where all of them may be chosen. */
  all?: string
}

/** The publication in a form that asks for more than it: a GET form's own field, as the address has it. */
export function PublicationField({ publications, chosen, all }: PublicationFieldProps) {
  return (
    <Field label="Publication" name="publication" isUnmarked>
      {(control) => (
        <Select {...control} name="publication" defaultValue={chosen ?? ''} key={chosen}>
          {all && <option value="">{all}</option>}
          {publications.map(({ id, publicationName }) => (
            <option key={id} value={id}>
              {publicationName}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
