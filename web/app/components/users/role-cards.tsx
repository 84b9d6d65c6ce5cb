import { userTypeNames } from '#core/access/user-types.ts'
import { Fieldset } from '../ui/field.tsx'
import { useFormState } from '../ui/form-context.ts'

/** The roles that these screens assign, with what each may and may not do. */
const roles = [
  {
    type: 'pubadmin',
    text: 'Sales ledger, analytics, readers, uploads and downloads, users. Only the publisher changes the plan, the company, selling and payment settings and the refund policy, and reopens closed months.',
  },
  { type: 'admin', text: 'Adds, finds and edits readers. No downloads, no sales figures, no users.' },
  { type: 'mailer', text: 'Downloads the current mailing file, and sees nothing else.' },
] as const

/** The role of the new user as radio cards: the whole card is clickable. */
export function RoleCards() {
  const chosen = useFormState().values.userType
  return (
    <Fieldset legend="Role" name="userType" isRequired>
      <div className="grid gap-3 md:grid-cols-3">
        {roles.map(({ type, text }) => (
          <label
            key={type}
            className="flex gap-3 rounded-card border border-control bg-surface p-3.5 hover:border-primary has-checked:border-primary has-checked:bg-primary-soft"
          >
            <input
              type="radio"
              name="userType"
              value={type}
              defaultChecked={chosen === type}
              aria-describedby={`role-${type}`}
              className="mt-0.5 size-4.5 shrink-0 accent-primary"
            />
            <span>
              <span className="block text-body font-semibold">{userTypeNames[type]}</span>
              <span id={`role-${type}`} className="mt-1 block text-table text-ink-2">
                {text}
              </span>
            </span>
          </label>
        ))}
      </div>
    </Fieldset>
  )
}
