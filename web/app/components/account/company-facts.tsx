import type { AccountView } from '#core/accounts/get-account.query.ts'
import { Fact, Facts } from '../ui/facts.tsx'
import { labels } from './account-labels.ts'
import { AccountPart } from './account-part.tsx'

/** The company's details for those who work for it and may not change them. */
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
        <Fact label={labels.companyName}>{company.companyName}</Fact>
        <Fact label={labels.mainContact}>{company.mainContact}</Fact>
        <Fact label={labels.emailAddress}>{company.emailAddress}</Fact>
        <Fact label={labels.singleEmailAddress}>{company.singleEmailAddress}</Fact>
        <Fact label={labels.telephone}>{company.telephone}</Fact>
        <Fact label={labels.mobile}>{company.mobile}</Fact>
        <Fact label="Address" isWide>
          {address.filter(Boolean).join('\n')}
        </Fact>
      </Facts>
    </AccountPart>
  )
}
