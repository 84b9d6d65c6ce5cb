import { uploadImage } from '#core/images/upload-image.ts'
import { chosenPicture, type ImageForm } from './image-form.ts'
import type { StaffContext } from './require-screen.ts'

/**
 * The fields of the back issue form, with a new cover already stored and its name in the fields: when another field is refused, the picture
 * need not be chosen again.
 */
export async function withCover(ctx: StaffContext, form: ImageForm): Promise<Record<string, string>> {
  const { values } = form
  const picture = chosenPicture(form, 'cover')
  if (picture === null) values.coverImage = ''
  if (picture) values.coverImage = (await uploadImage(ctx, { kind: 'cover', image: picture, field: 'cover' })).name
  return values
}
