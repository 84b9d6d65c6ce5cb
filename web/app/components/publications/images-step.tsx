import { imageFilesOf } from '#core/images/image.rules.ts'
import { useFormState } from '../ui/form-context.ts'
import { ImagePicker } from '../ui/image-picker.tsx'
import { fieldLabels } from './wizard-steps.ts'

/** Step 2: images are uploaded with the step, and appear in the storefront once the publication is submitted. */
export function ImagesStep() {
  const { values } = useFormState()
  return (
    <div className="grid gap-5 md:grid-cols-2">
      <ImagePicker
        name="coverImage"
        label={fieldLabels.coverImage ?? ''}
        kind="cover"
        hint="The front page of the latest issue."
        current={imageFilesOf(values.coverImage, 'cover')?.src ?? null}
      />
      <ImagePicker
        name="logoImage"
        label={fieldLabels.logoImage ?? ''}
        kind="logo"
        hint="Shown at the top of the storefront and in emails."
        current={imageFilesOf(values.logoImage, 'logo')?.src ?? null}
      />
    </div>
  )
}
