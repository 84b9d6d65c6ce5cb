import type { ActionFunctionArgs, LoaderFunctionArgs, MetaFunction } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { landingPage, userTypeNames } from '#core/access/user-types.ts'
import { changeEmail } from '#core/accounts/change-email.ts'
import { checkPayeeKeys } from '#core/accounts/check-payee-keys.ts'
import { getAccount, savedFields } from '#core/accounts/get-account.query.ts'
import { type PayeeProvider, payeeProviders } from '#core/accounts/payee-keys.rules.ts'
import { setPayeeKeys } from '#core/accounts/set-payee-keys.ts'
import { updateAccount } from '#core/accounts/update-account.ts'
import { countryName } from '#core/kernel/countries.ts'
import { changePassword } from '#core/users/change-password.ts'
import { AccountPart, PartList } from '#web/app/components/account/account-part.tsx'
import { CompanyFacts } from '#web/app/components/account/company-facts.tsx'
import { DetailsForm, storedAccountValues } from '#web/app/components/account/details-form.tsx'
import { LogInPart } from '#web/app/components/account/log-in-part.tsx'
import { PaymentsPart } from '#web/app/components/account/payments-part.tsx'
import { PageHeader } from '#web/app/components/layout/back-office-frame.tsx'
import type { CrumbHandle } from '#web/app/components/layout/top-bar.tsx'
import { Avatar } from '#web/app/components/ui/avatar.tsx'
import { LinkButton } from '#web/app/components/ui/button.tsx'
import { accountInput, withFieldNamed, withoutSecrets } from '#web/app/http/account-form.ts'
import { countryChoices } from '#web/app/http/country-choices.ts'
import { outdatedForm, readForm, submit, wasRefused } from '#web/app/http/form.ts'
import { saveMerged } from '#web/app/http/merge-form.ts'
import { problemOf } from '#web/app/http/problem.ts'
import { requireScreen, type StaffContext } from '#web/app/http/require-screen.ts'
import { sessionToken } from '#web/app/http/session.ts'
import { redirectWithToast } from '#web/app/http/toast.ts'

export const handle: CrumbHandle = { crumbs: () => [{ label: 'My Account' }] }

export const meta: MetaFunction<typeof loader> = ({ data }) => [
  { title: `${data?.isRefused ? 'Error: ' : ''}My Account – Masthead` },
]

export async function loader({ request, context }: LoaderFunctionArgs) {
  const ctx = await requireScreen(request, context, 'account')
  const account = await getAccount(ctx, {})
  return {
    account,
    role: userTypeNames[account.userType],
    countries: account.mayChangeCompany ? countryChoices : [],
    countryName: countryName(account.company?.country ?? ''),
    passwordMinLength: ctx.settings.passwordMinLength,
    isRefused: wasRefused(context),
  }
}

export async function action({ request, context }: ActionFunctionArgs) {
  const ctx = await requireScreen(request, context, 'account')
  const values = await readForm(request)
  const perform = intents[values.intent ?? '']
  if (!perform) throw outdatedForm()
  return submit(context, withoutSecrets(values), async () => {
    const result = await perform(ctx, values, sessionToken(request, context))
    return 'toast' in result
      ? redirectWithToast(context, result.to, { kind: 'success', text: result.toast })
      : { checkResult: result.checkResult }
  })
}

type IntentResult = { to: string; toast: string } | { checkResult: Awaited<ReturnType<typeof checkPayeeKeys>> }
type Intent = (ctx: StaffContext, values: Record<string, string>, token: string | undefined) => Promise<IntentResult>

function providerOf(values: Record<string, string>): PayeeProvider {
  const provider = payeeProviders.find((name) => name === values.provider)
  if (!provider) throw outdatedForm()
  return provider
}

const checkKeys: Intent = async (ctx, values) => ({ checkResult: await checkPayeeKeys(ctx, accountInput(values)) })

/** The action of each form, by its intent. */
const intents: Record<string, Intent> = {
  async save(ctx, values) {
    await saveMerged(values, {
      read: () => getAccount(ctx, {}),
      valuesOf: storedAccountValues,
      save: (merged, account) =>
        updateAccount(ctx, { ...accountInput(merged), basedOn: account && savedFields(account) }),
    })
    return { to: landingPage(ctx.actor.userType), toast: 'Account successfully updated' }
  },
  async email(ctx, { email, emailPassword }, token) {
    await withFieldNamed('currentPassword', 'emailPassword', () =>
      changeEmail(ctx, { email, currentPassword: emailPassword, sessionToken: token }),
    )
    return { to: '/account#log-in', toast: 'Email successfully changed' }
  },
  async password(ctx, { currentPassword, password, password2 }, token) {
    await changePassword(ctx, { currentPassword, password, password2, sessionToken: token })
    return { to: '/account#log-in', toast: 'Password successfully changed' }
  },
  async keys(ctx, values) {
    const provider = providerOf(values)
    const keys = accountInput(values)[provider]
    const formField = `${provider}.currentPassword`
    await withFieldNamed('currentPassword', formField, () =>
      setPayeeKeys(ctx, { [provider]: keys, currentPassword: values[formField] }),
    )
    return { to: '/account#payments', toast: 'Payment keys saved' }
  },
  async remove(ctx, values) {
    const provider = providerOf(values)
    const formField = `${provider}.removePassword`
    await withFieldNamed('currentPassword', formField, () =>
      setPayeeKeys(ctx, { [provider]: { remove: true }, currentPassword: values[formField] }),
    )
    return { to: '/account#payments', toast: 'Payment keys removed' }
  },
  check: (ctx, { provider }, token) => checkKeys(ctx, { provider: provider ?? '' }, token),
  'check-typed': checkKeys,
}

export default function Account() {
  const { account, role, countries, countryName: country, passwordMinLength } = useLoaderData<typeof loader>()
  const actionData = useActionData<typeof action>()
  const problem = problemOf(actionData)
  const parts = [
    { id: 'picture', title: 'Picture' },
    { id: 'details', title: 'Details' },
    ...(account.company && !account.mayChangeCompany ? [{ id: 'company', title: 'Company' }] : []),
    ...(account.mayChangeCompany ? [{ id: 'address', title: 'Address' }] : []),
    ...(account.selling ? [{ id: 'selling', title: 'Selling' }] : []),
    ...(account.selling ? [{ id: 'plan', title: 'Your plan' }] : []),
    ...(account.payees ? [{ id: 'payments', title: 'Payments' }] : []),
    { id: 'log-in', title: 'Log-in' },
  ]
  return (
    <>
      <PageHeader title="My Account" note={role} />
      <div className="flex flex-col gap-5 lg:flex-row lg:items-start lg:gap-8">
        <PartList parts={parts} />
        <div className="min-w-0 max-w-3xl grow space-y-5">
          <PicturePart avatarFile={account.avatarFile} name={`${account.firstName} ${account.lastName}`} />
          <DetailsForm account={account} countries={countries} problem={problem} />
          {account.company && !account.mayChangeCompany && (
            <CompanyFacts company={account.company} countryName={country} />
          )}
          {account.selling && (
            <AccountPart id="plan" title="Your plan" note="Titles, price, next charge, card and invoices.">
              <LinkButton to="/account/plan" size="small">
                View or change your plan
              </LinkButton>
            </AccountPart>
          )}
          {account.payees && (
            <PaymentsPart
              payees={account.payees}
              problem={problem}
              checkResult={actionData && 'checkResult' in actionData ? actionData.checkResult : undefined}
            />
          )}
          <LogInPart account={account} passwordMinLength={passwordMinLength} problem={problem} />
        </div>
      </div>
    </>
  )
}

/** The user's picture or initials, with a link to change it. */
function PicturePart({ avatarFile, name }: { avatarFile: string | null; name: string }) {
  return (
    <AccountPart id="picture" title="Picture">
      <div className="flex flex-wrap items-center gap-4">
        <Avatar file={avatarFile} name={name} size="large" />
        <LinkButton to="/account/picture" size="small">
          {avatarFile ? 'Change or remove picture' : 'Add a picture'}
        </LinkButton>
      </div>
    </AccountPart>
  )
}
