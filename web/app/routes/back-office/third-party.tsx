import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { visitor } from '#core/access/actor.ts'
import { partnerScopes } from '#core/access/permissions.ts'
import { type AppContext, contextFor } from '#core/context.ts'
import { invalid, notFound } from '#core/kernel/errors.ts'
import { addApiKey } from '#core/partners/add-api-key.ts'
import { addPartnerApp, listPartnerApps, removePartnerApp } from '#core/partners/change-partner-apps.ts'
import { checkSubscriber } from '#core/partners/check-subscriber.ts'
import { listApiKeys } from '#core/partners/list-api-keys.query.ts'
import { makeApiKey } from '#core/partners/make-api-key.ts'
import { replaceApiKey } from '#core/partners/replace-api-key.ts'
import { revokeApiKey } from '#core/partners/revoke-api-key.ts'
import { listHandles } from '#core/publications/list-handles.query.ts'
import { wireCheckedSubscriber } from '#web/app/api/third-party.wire.ts'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { CallGuide } from '#web/app/components/partners/call-guide.tsx'
import { FirstKey } from '#web/app/components/partners/first-key.tsx'
import { FurtherKeys } from '#web/app/components/partners/further-keys.tsx'
import { PartnerApps } from '#web/app/components/partners/partner-apps.tsx'
import { TryIt } from '#web/app/components/partners/try-it.tsx'
import { NoPublications } from '#web/app/components/publications/no-publications.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { PublicationChoice } from '#web/app/components/ui/publication-choice.tsx'
import { outdatedForm, readForm, submit } from '#web/app/http/form.ts'
import { searchParams } from '#web/app/http/list-params.ts'
import { idParam } from '#web/app/http/param-id.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen } from '#web/app/http/require-screen.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'Third Party API' }] }

export const meta: MetaFunction = () => [{ title: 'Third Party API – Masthead' }]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'thirdParty')
  const publications = await listHandles(ctx, {})
  const requested = searchParams(request).publication
  const publication = requested
    ? publications.find(({ id }) => id === idParam(requested, 'The publication'))
    : publications[0]
  if (requested && !publication) throw notFound('The publication')
  const keys = publication ? await listApiKeys(ctx, { publicationId: publication.id }) : []
  const apps = publication ? await listPartnerApps(ctx, { publicationId: publication.id }) : []
  const { appUrl, timeZone } = ctx.settings
  return { publications, publication: publication ?? null, keys, apps, appUrl, timeZone }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'thirdParty')
  const values = await readForm(request)
  const redirectBack = (text: string) => {
    const returnTo = `/thirdparty?${new URLSearchParams({ publication: values.publicationId ?? '' })}`
    return redirectWithToast(context, returnTo, { kind: 'success', text })
  }
  return submit(context, values, async () => {
    switch (values.intent) {
      case 'generate':
        await makeApiKey(ctx, { publicationId: values.publicationId, ifNone: true })
        return redirectBack('API key created')
      case 'add':
        await addApiKey(ctx, {
          publicationId: values.publicationId,
          name: values.name,
          scopes: partnerScopes.filter((scope) => values[`scopes.${scope}`] === 'true'),
        })
        return redirectBack('API key added')
      case 'replace':
        await replaceApiKey(ctx, { keyId: values.id })
        return redirectBack('API key replaced: the old one works for another 24 hours')
      case 'revoke':
        await revokeApiKey(ctx, { keyId: values.id })
        return redirectBack('API key revoked')
      case 'add-app':
        await addPartnerApp(ctx, values)
        return redirectBack('App added')
      case 'remove-app':
        await removePartnerApp(ctx, { appId: values.id })
        return redirectBack('App removed')
      case 'try':
        return { checkResult: await tryCheck(ctx, values) }
      default:
        throw outdatedForm()
    }
  })
}

/** Makes the call as a partner's program would, authenticated by the key itself: the result shown is what partners get. */
async function tryCheck(ctx: AppContext, { publicationId, keyId, email, password }: Record<string, string>) {
  const keys = await listApiKeys(ctx, { publicationId })
  const apiKey = keys.find(({ id }) => id === Number(keyId))
  if (!apiKey?.key) throw invalid({ keyId: 'Choose one of the keys' })
  const partnerCtx = contextFor(ctx, visitor, ctx.origin)
  return wireCheckedSubscriber(await checkSubscriber(partnerCtx, { key: apiKey.key, email, password }))
}

export default function ThirdParty() {
  const { publications, publication, keys, apps, appUrl, timeZone } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const problem = problemOf(actionData)
  if (!publication) {
    return (
      <>
        <PageHeader title="Third Party API" />
        <NoPublications next="Its API keys are created here." />
      </>
    )
  }
  const first = keys.find(({ name, expiresAt }) => name === '' && expiresAt === null) ?? null
  const common = { publicationId: publication.id, problem, timeZone }
  return (
    <>
      <PageHeader
        title="Third Party API"
        note="Lets apps and digital-edition hosts check whether somebody is one of your subscribers."
        actions={
          <>
            <LinkButton to="/thirdparty/webhooks">Webhooks</LinkButton>
            <PublicationChoice publications={publications} chosen={publication.id} />
          </>
        }
      />
      <div key={publication.id} className="max-w-4xl space-y-6">
        <FirstKey
          {...common}
          apiKey={first}
          expiring={keys.filter(({ name, expiresAt }) => name === '' && expiresAt !== null)}
        />
        <CallGuide appUrl={appUrl} apiKey={first?.key ?? null}>
          <TryIt
            {...common}
            keys={keys}
            response={actionData && 'checkResult' in actionData ? actionData.checkResult : null}
          />
        </CallGuide>
        <FurtherKeys {...common} keys={keys.filter(({ name }) => name !== '')} />
        <PartnerApps {...common} apps={apps} appUrl={appUrl} />
      </div>
    </>
  )
}
