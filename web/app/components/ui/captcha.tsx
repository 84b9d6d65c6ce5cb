import type { Challenge } from 'altcha-lib'
import { useEffect, useState } from 'react'
import type { FieldErrors } from '#core/kernel/errors.ts'
import { useT } from '../../i18n/use-t.tsx'
import { fieldId } from './field.tsx'

interface CaptchaProps {
  /** The form's errors. The captcha appears with the first error that asks for it; most users never see one. */
  problem: { fields?: FieldErrors } | undefined
  /** Prefix of the field name, if a page has two captchas. */
  prefix?: string
}

type State = 'working' | 'done' | 'failed'

/**
 * The captcha of a form: a proof of work that the browser solves by itself in about a second and submits as `captcha`. A solution can be
 * used once, so each refusal starts a new one.
 */
export function Captcha({ problem, prefix = '' }: CaptchaProps) {
  const t = useT()
  const needsCaptcha = problem?.fields?.captcha !== undefined
  const [isRequired, setRequired] = useState(needsCaptcha)
  if (needsCaptcha && !isRequired) setRequired(true)
  const { state, solved } = useCaptcha('/api/users/captcha', isRequired, problem)
  if (!isRequired) return null
  const texts: Record<State, string> = {
    working: t('Checking that you are not a robot…'),
    done: t('Checked. Please send the form again.'),
    failed: t('The check did not work in this browser. Wait an hour, or set a new password by email.'),
  }
  return (
    <div
      id={fieldId(`${prefix}captcha`)}
      tabIndex={-1}
      className="rounded-input border border-line px-4 py-3 text-body text-ink-2"
    >
      <input type="hidden" name="captcha" value={solved} />
      <p role="status">{state && texts[state]}</p>
      <noscript>{t('The check needs JavaScript. Without it, wait an hour, or set a new password by email.')}</noscript>
    </div>
  )
}

/** A solution is valid for half an hour: a page that stays open solves another challenge before that. */
const renewAfterMs = 25 * 60_000

/** Solves challenges from an address once `isRequired` is true; each refusal (a new object) has used up the last solution. */
export function useCaptcha(
  url: string,
  isRequired: boolean,
  refusal: unknown,
): { state: State | undefined; solved: string } {
  const [solved, setSolved] = useState('')
  const [state, setState] = useState<State>()
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: each refusal and each round needs a new solution
  useEffect(() => {
    if (!isRequired) return
    const controller = new AbortController()
    const finish = (solution: string | null) => {
      if (controller.signal.aborted) return
      setSolved(solution ?? '')
      setState(solution ? 'done' : 'failed')
    }
    setSolved('')
    setState('working')
    solve(url, controller).then(finish, () => finish(null))
    const timer = setTimeout(() => setRound((last) => last + 1), renewAfterMs)
    return () => {
      clearTimeout(timer)
      controller.abort()
    }
  }, [url, isRequired, refusal, round])
  return { state, solved }
}

/** Loaded on demand: captchas are rare. */
async function solve(url: string, controller: AbortController): Promise<string | null> {
  const [{ solveChallenge }, { deriveKey }, response] = await Promise.all([
    import('altcha-lib'),
    import('altcha-lib/algorithms/web/pbkdf2'),
    fetch(url, { signal: controller.signal }),
  ])
  if (!response.ok) return null
  const challenge = (await response.json()) as Challenge
  const solution = await solveChallenge({ challenge, deriveKey, controller })
  return solution && btoa(JSON.stringify({ challenge, solution }))
}
