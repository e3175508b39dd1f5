import { useEffect, useRef } from 'preact/hooks'
import { runAddressStep } from '../draft/work/run-address.ts'
import { go } from '../shell/navigation.ts'
import type { Signal } from '@preact/signals'
import type { Work } from '../draft/work/works.ts'

/**
 * Keeps the run in the address, so that a reload and Back keep its result.
 * @param showResult called once the address names a new run, since a new address scrolls to the top
 */
export function useRunAddress(
  work: Signal<Work>,
  query: URLSearchParams,
  showResult: () => void,
): void {
  const last = useRef<string | null | undefined>(undefined)
  const address = query.get('run')
  const isOpening = query.has('from')
  const { runId } = work.value
  useEffect(() => {
    if (isOpening) return
    const step = runAddressStep(address, runId, last.current)
    last.current = step.kind === 'none' ? runId : step.runId
    if (step.kind === 'show') work.value = { ...work.peek(), runId: step.runId }
    if (step.kind === 'write') {
      const query = new URLSearchParams(step.runId === null ? {} : { run: step.runId })
      go({ page: 'playground', query }, step.how)
      if (step.runId !== null && step.how === 'push') showResult()
    }
  }, [work, address, isOpening, runId])
}
