import { Field } from './field.tsx'
import { Select } from './inputs.tsx'

interface PublicationFieldProps {
  publications: readonly { id: number; publicationName: string }[]
  chosen: number | null
  /** The label of the empty option, if all publications can be chosen. */
  all?: string
}

/** The publication field of a GET form with further fields. */
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
