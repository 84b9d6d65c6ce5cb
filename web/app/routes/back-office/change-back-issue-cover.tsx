import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { changeBackIssueCover } from '#core/back-issues/change-cover.ts'
import { getBackIssue } from '#core/back-issues/get-back-issue.query.ts'
import { imageFilesOf, imageProblems } from '#core/images/image.rules.ts'
import { invalid } from '#core/kernel/errors.ts'
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
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle<Awaited<ReturnType<typeof loader>>> = {
  crumbs: ({ issue: { id, volume } }) => [
    { label: 'Single & Back Issues', to: '/backIssues' },
    { label: volume, to: `/editBackIssue/${id}` },
    { label: 'Change cover image' },
  ],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Change cover image – Masthead` },
]

export async function loader({ request, params, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'editBackIssue')
  const issue = await getBackIssue(ctx, { id: idParam(params.backIssueId, 'The back issue') })
  return { issue, isRefused: wasRefused(context) }
}

export async function action({ request, params, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'editBackIssue')
  const { id } = await getBackIssue(ctx, { id: idParam(params.backIssueId, 'The back issue') })
  const form = await readImageForm(request)
  return submit(context, form.values, async () => {
    const image = chosenPicture(form, 'image')
    if (image === undefined) throw invalid({ image: imageProblems.missing })
    await changeBackIssueCover(ctx, { id, image })
    return redirectWithToast(context, '/backIssues', { kind: 'success', text: 'Back Issue Image updated' })
  })
}

export default function ChangeBackIssueCover() {
  const { issue } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  const form = useForm({ problem, labels: { image: 'Cover image' } })
  return (
    <>
      <PageHeader title="Change cover image" note={`${issue.volume}, ${issue.publicationName}`} />
      <Form form={form} encType="multipart/form-data" className="card max-w-2xl space-y-5 p-4 lg:p-6">
        <ImagePicker
          name="image"
          label="Cover image"
          hint="The current cover stays until you save."
          kind="cover"
          current={imageFilesOf(issue.coverImage, 'cover')?.src ?? null}
        />
        <FormButtons>
          <SubmitButton>Save cover image</SubmitButton>
          <LinkButton to="/backIssues" kind="quiet">
            Cancel
          </LinkButton>
        </FormButtons>
      </Form>
    </>
  )
}
