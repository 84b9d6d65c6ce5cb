import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type ImageKind, imageFilesOf, imageProblems } from '#core/images/image.rules.ts'
import { invalid } from '#core/kernel/errors.ts'
import { changePublicationImage } from '#core/publications/change-image.ts'
import { getPublicationFields } from '#core/publications/get-publication-fields.query.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { Form, FormButtons, SubmitButton, useForm } from '#web/app/components/ui/form.tsx'
import { ImagePicker } from '#web/app/components/ui/image-picker.tsx'
import { submit, wasRefused } from '#web/app/http/form.ts'
import { chosenPicture, readImageForm } from '#web/app/http/image-form.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { dropStorefront } from '#web/app/http/storefront-data.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

const texts = {
  cover: { title: 'Change cover image', label: 'Cover', toast: 'Publication Image updated' },
  logo: { title: 'Change logo', label: 'Logo', toast: 'Publication Logo updated' },
} as const satisfies Record<ImageKind, object>

/** One page with two addresses: `/cover` and `/logo`. */
function kindOf(request: Request): ImageKind {
  return /\/logo(\.data)?$/i.test(new URL(request.url).pathname) ? 'logo' : 'cover'
}

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ id, publicationName, kind }) => [
    { label: 'Publications', to: '/publications' },
    { label: publicationName, to: `/editpublication/${id}` },
    { label: texts[kind].title },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}${texts[data?.kind ?? 'cover'].title} – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'changeImage')
  const { id, fields } = await getPublicationFields(ctx, { id: idParam(params.publicationId, 'The publication') })
  const kind = kindOf(request)
  const current = imageFilesOf(String(fields[`${kind}Image`] ?? ''), kind)
  const publicationName = String(fields.publicationName)
  return { id, kind, publicationName, current: current?.src ?? null, isRefused: wasRefused(context) }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'changeImage')
  // Authorised before the form is read.
  const { id, fields } = await getPublicationFields(ctx, { id: idParam(params.publicationId, 'The publication') })
  const kind = kindOf(request)
  const form = await readImageForm(request)
  return submit(context, form.values, async () => {
    const image = chosenPicture(form, 'image')
    if (image === undefined) throw invalid({ image: imageProblems.missing }, imageProblems.missing)
    await changePublicationImage(ctx, { id, kind, image })
    dropStorefront(context, String(fields.urlKey))
    return redirectWithToast(context, '/publications', { kind: 'success', text: texts[kind].toast })
  })
}

export default function ChangeImage() {
  const { kind, publicationName, current } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const form = useForm({ problem, labels: { image: texts[kind].label } })
  return (
    <>
      <PageHeader title={texts[kind].title} note={publicationName} />
      <Form form={form} encType="multipart/form-data" className="card max-w-2xl space-y-5 p-4 lg:p-5">
        <ImagePicker
          key={`${kind} ${current}`}
          name="image"
          label={texts[kind].label}
          kind={kind}
          current={current}
          isRequired
        />
        <FormButtons>
          <SubmitButton>Save</SubmitButton>
          <LinkButton to="/publications">Cancel</LinkButton>
        </FormButtons>
      </Form>
    </>
  )
}
