import { describe, expect, it } from 'vitest'
import { trackUnsaved } from './track-unsaved.ts'

/** Requests that are answered by the test. */
function makeServer() {
  const sent: { form: string; signal: AbortSignal; answer(isStored: boolean): void; fail(): void }[] = []
  return {
    sent,
    save: (form: string, signal: AbortSignal) =>
      new Promise<boolean>((answer, reject) =>
        sent.push({ form, signal, answer, fail: () => reject(new Error('lost')) }),
      ),
  }
}

describe('an autosave', () => {
  it.each(['fail', 'answer'] as const)(
    'that is not stored is sent again, though nothing was typed since (%s)',
    async (outcome) => {
      const { sent, save } = makeServer()
      const unsaved = trackUnsaved<string>()
      unsaved.mark('form')
      const first = unsaved.send(save)
      sent[0]?.[outcome](false)
      await first
      const second = unsaved.send(save)
      expect(sent.map(({ form }) => form)).toEqual(['form', 'form'])
      // Not answered yet: the page may be closed before it is.
      await unsaved.send(save)
      expect(sent).toHaveLength(2)
      sent[1]?.fail()
      await second
      expect(unsaved.take()).toBe('form')
      expect(unsaved.take()).toBeNull()
    },
  )

  it('that is stored leaves unsaved only what was typed while it was sent, and is aborted by the next', async () => {
    const { sent, save } = makeServer()
    const unsaved = trackUnsaved<string>()
    unsaved.mark('one')
    const first = unsaved.send(save)
    unsaved.mark('two')
    sent[0]?.answer(true)
    await first
    const second = unsaved.send(save)
    unsaved.mark('three')
    const third = unsaved.send(save)
    expect(sent.map(({ form, signal }) => [form, signal.aborted])).toEqual([
      ['one', false],
      ['two', true],
      ['three', false],
    ])
    sent[1]?.fail()
    sent[2]?.answer(true)
    await Promise.all([second, third])
    expect(unsaved.take()).toBeNull()
  })

  it('that is under way is aborted when the form is submitted, and not sent again', async () => {
    const { sent, save } = makeServer()
    const unsaved = trackUnsaved<string>()
    unsaved.mark('form')
    const first = unsaved.send(save)
    unsaved.drop()
    expect(sent[0]?.signal.aborted).toBe(true)
    sent[0]?.fail()
    await first
    expect(unsaved.take()).toBeNull()
  })
})
