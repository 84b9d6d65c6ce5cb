import { Field } from './field.tsx'
import { Select } from './inputs.tsx'

export interface Title {
  id: number
  publicationName: string
  isRemoved?: true
}

/** The name of a title in a choice of titles. */
export function titleName({ publicationName, isRemoved }: Title): string {
  return isRemoved ? `${publicationName} (removed)` : publicationName
}

interface PublicationFieldProps {
  publications: readonly Title[]
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
          {publications.map((title) => (
            <option key={title.id} value={title.id}>
              {titleName(title)}
            </option>
          ))}
        </Select>
      )}
    </Field>
  )
}
