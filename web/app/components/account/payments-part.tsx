import type { PayeeCheckResult } from '#core/accounts/check-payee-keys.ts'
import { payees as payeeTable } from '#core/accounts/payee-keys.rules.ts'
import type { PayeeView } from '#core/accounts/payee-view.ts'
import type { FormProblem } from '../../http/form.ts'
import { AccountPart } from './account-part.tsx'
import { PayeeCard } from './payee-card.tsx'

interface PaymentsPartProps {
  payees: readonly PayeeView[]
  problem: FormProblem | undefined
  checkResult: PayeeCheckResult | undefined
}

/** The payment providers of a publisher, connected or not. */
export function PaymentsPart({ payees, problem, checkResult }: PaymentsPartProps) {
  const connected = payees.filter(({ state }) => state === 'connected')
  return (
    <AccountPart
      id="payments"
      title="Payments"
      note="Your buyers’ money goes straight to your own account with a provider. Secrets are stored encrypted and are never shown again."
    >
      <div className="space-y-4">
        {payees.map((payee) => (
          <PayeeCard
            key={payee.provider}
            payee={payee}
            others={connected.flatMap(({ provider }) =>
              provider === payee.provider ? [] : [payeeTable[provider].name],
            )}
            problem={problem}
            checkResult={checkResult?.provider === payee.provider ? checkResult : undefined}
          />
        ))}
      </div>
    </AccountPart>
  )
}
