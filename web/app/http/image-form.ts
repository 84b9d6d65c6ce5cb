import { imageLimits, imageProblems } from '#core/images/image.rules.ts'
import { invalid } from '#core/kernel/errors.ts'
import { formDataOf } from './form.ts'

/** A form with pictures: its fields as text, and its files. */
export interface ImageForm {
  values: Record<string, string>
  pictures: Record<string, Uint8Array>
  /** Whether the body exceeded the limit and was not read. */
  isTooLarge: boolean
}

/** The limit: two pictures of the largest size and the other fields. */
const limit = 2 * imageLimits.bytes + 512 * 1024

/** Reads a form that may contain pictures. A body over the limit stays unread, so that the page itself can report it. */
export async function readImageForm(request: Request): Promise<ImageForm> {
  const form: ImageForm = { values: {}, pictures: {}, isTooLarge: false }
  if (Number(request.headers.get('content-length') ?? 0) > limit) return { ...form, isTooLarge: true }
  for (const [name, value] of await formDataOf(request)) {
    if (typeof value === 'string') form.values[name] = value
    // Browsers send an empty file input as a file without a name.
    else if (value.size > 0 || value.name !== '') form.pictures[name] = new Uint8Array(await value.arrayBuffer())
  }
  return form
}

/** The value of an ImagePicker: a new picture, null to remove the stored one, undefined to keep it. */
export function chosenPicture(
  { values, pictures, isTooLarge }: ImageForm,
  name: string,
): Uint8Array | null | undefined {
  if (isTooLarge) throw invalid({ [name]: imageProblems.tooLarge }, imageProblems.tooLarge)
  return pictures[name] ?? (values[`${name}Remove`] ? null : undefined)
}
