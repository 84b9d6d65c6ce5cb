import type { AccountView } from '#core/accounts/get-account.query.ts'
import { Fact, Facts } from '../ui/facts.tsx'
import { accountLabels } from './account-labels.ts'
import { AccountPart } from './account-part.tsx'

/** The company's details, read-only, for staff who may not change them. */
export function CompanyFacts({
  company,
  countryName,
}: {
  company: NonNullable<AccountView['company']>
  countryName: string
}) {
  const address = [
    company.addressOne,
    company.addressTwo,
    company.addressThree,
    company.addressFour,
    company.postZip,
    countryName,
  ]
  return (
    <AccountPart id="company" title="Company" note="Only the publisher can change these.">
      <Facts>
        <Fact label={accountLabels.companyName}>{company.companyName}</Fact>
        <Fact label={accountLabels.mainContact}>{company.mainContact}</Fact>
        <Fact label={accountLabels.emailAddress}>{company.emailAddress}</Fact>
        <Fact label={accountLabels.singleEmailAddress}>{company.singleEmailAddress}</Fact>
        <Fact label={accountLabels.telephone}>{company.telephone}</Fact>
        <Fact label={accountLabels.mobile}>{company.mobile}</Fact>
        <Fact label="Address" isWide>
          {address.filter(Boolean).join('\n')}
        </Fact>
      </Facts>
    </AccountPart>
  )
}
