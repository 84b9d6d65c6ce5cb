import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { setAvatar } from '#core/accounts/set-avatar.ts'
import { PictureForm } from '#web/app/components/account/picture-form.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { submit, wasRefused } from '#web/app/http/form.ts'
import { chosenPicture, readImageForm } from '#web/app/http/image-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle = {
  crumbs: () => [{ label: 'My Account', to: '/account' }, { label: 'Picture' }],
}

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}Picture – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const { session, actor } = await requireScreen(request, context, 'account')
  return {
    avatarFile: session.avatarFile,
    name: session.name || actor.email,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'account')
  const form = await readImageForm(request)
  return submit(context, {}, async () => {
    const isRemoved = form.values.intent === 'remove'
    await setAvatar(ctx, { picture: isRemoved ? null : (chosenPicture(form, 'picture') ?? new Uint8Array()) })
    const text = isRemoved ? 'Picture removed' : 'Picture saved'
    return redirectWithToast(context, '/account', { kind: 'success', text })
  })
}

export default function Picture() {
  const { avatarFile, name } = useLoaderData<typeof loader>()
  const problem = problemOf(useActionData<typeof action>())
  return (
    <>
      <PageHeader title="Picture" note="Your picture is shown beside your name at the top of every page." />
      <PictureForm avatarFile={avatarFile} name={name} problem={problem} />
    </>
  )
}
