import { type ChangeEvent, useState } from 'react'
import { imageLimits, imageTypes } from '#core/images/image.rules.ts'
import type { FormProblem } from '../../http/form.ts'
import { Avatar } from '../ui/avatar.tsx'
import { LinkButton } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '../ui/form.tsx'

interface PictureFormProps {
  avatarFile: string | null
  name: string
  problem: FormProblem | undefined
}

/** Chooses a picture, previews it, and saves it. Without JavaScript it is uploaded without a preview. */
export function PictureForm({ avatarFile, name, problem }: PictureFormProps) {
  const [preview, setPreview] = useState<string | null>(null)
  const [tooLarge, setTooLarge] = useState<string | undefined>()
  const form = useForm({ problem, labels: { picture: 'Picture' } })

  function choose({ target }: ChangeEvent<HTMLInputElement>) {
    const file = target.files?.[0]
    const isLarge = file !== undefined && file.size > imageLimits.bytes
    setTooLarge(isLarge ? 'The image is larger than 5 MB. Choose a smaller one.' : undefined)
    setPreview(null)
    if (!file || isLarge) return
    const reader = new FileReader()
    reader.onload = () => setPreview(String(reader.result))
    reader.readAsDataURL(file)
  }

  return (
    <div className="card max-w-xl space-y-5 p-4 lg:p-5">
      <div className="flex flex-wrap items-center gap-5">
        <Avatar file={avatarFile} name={name} size="large" />
        {preview && (
          <figure className="flex items-center gap-3">
            <img
              src={preview}
              alt="Preview of the chosen file"
              onError={() => setPreview(null)}
              className="size-24 rounded-full border border-line bg-subtle object-cover"
            />
            <figcaption className="text-table text-ink-2">How it will look. Not saved yet.</figcaption>
          </figure>
        )}
      </div>
      <Form form={form} encType="multipart/form-data" className="space-y-5">
        <Field
          name="picture"
          hint="JPEG, PNG, WebP, GIF or AVIF, at most 5 MB. It is cropped to a centred square."
          error={tooLarge}
        >
          {(control) => (
            <input
              {...control}
              type="file"
              name="picture"
              accept={imageTypes.join(',')}
              onChange={choose}
              className="block w-full rounded-input border border-control bg-surface p-2 text-body file:mr-3 file:min-h-8 file:rounded-input file:border file:border-control file:bg-surface file:px-3 file:font-medium"
            />
          )}
        </Field>
        <FormButtons>
          <SubmitButton intent="save" isDisabled={tooLarge !== undefined}>
            Save picture
          </SubmitButton>
          {avatarFile && (
            <SubmitButton intent="remove" kind="secondary">
              Remove picture
            </SubmitButton>
          )}
          <LinkButton to="/account" kind="quiet">
            Back to My Account
          </LinkButton>
        </FormButtons>
      </Form>
    </div>
  )
}
