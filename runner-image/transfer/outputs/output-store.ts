import { join } from 'node:path'
import { abortReason } from '../../../common/runtime/effects.ts'
import { runAll } from '../runtime/run-all.ts'
import { createConnections } from '../upload/connections.ts'
import { fingerprint } from '../upload/fingerprint.ts'
import { startGrowingUpload } from '../upload/growing-upload.ts'
import { growthOf } from '../upload/append-only-formats.ts'
import { createHeadStarts } from './head-starts.ts'
import { storeSegments } from './store-segments.ts'
import type { SegmentStore } from './store-segments.ts'
import { storeOutputs } from './store-outputs.ts'
import { keepObjects } from '../upload/stored-objects.ts'
import { createUploader } from '../upload/upload-files.ts'
import type { Effects } from '../../../common/runtime/effects.ts'
import type { PlannedOutput, StepPlan } from '../../../common/command-line/model/plan.ts'
import type { Gateway } from '../gateway/gateway.ts'
import type { Log } from '../report/log.ts'
import type { CollectedOutput } from './collect-outputs.ts'
import type { GrowingUpload } from '../upload/growing-upload.ts'
import type { StoredFiles } from './store-outputs.ts'
import type { StoredObjects } from '../upload/stored-objects.ts'

export interface OutputStoreDependencies {
  readonly gateway: Pick<Gateway, 'uploads' | 'parts' | 'complete'>
  readonly effects: Effects
  readonly log: Log
  readonly objects: StoredObjects
  readonly work: string
  /** Aborts with the reason why the attempt is to end. */
  readonly signal: AbortSignal
}

/**
 * Stores outputs as soon as they are final: segments and growing files while FFmpeg writes them,
 * other files of a step while later steps run. All of this is a head start: `finish` repeats what
 * failed, and sends changed files again.
 */
export interface OutputStore {
  /** Opens a connection to the storage before anything is stored. */
  openAhead(origin: string): void
  /** FFmpeg is about to write these. */
  begin(outputs: readonly PlannedOutput[], step: StepPlan): void
  /** Their step has ended, no process writes them any more. */
  end(outputs: readonly CollectedOutput[]): void
  /**
   * Stores the missing files of outputs that have ended.
   * @throws Failure STORAGE_ERROR
   */
  finish(signal: AbortSignal): Promise<void>
  /** Resolves once nothing is in flight any more. Their parts are swept with the attempt. */
  abort(reason: unknown): Promise<void>
}

export function createOutputStore(deps: OutputStoreDependencies): OutputStore {
  const { effects, log, work } = deps
  const stop = new AbortController()
  const signal = AbortSignal.any([deps.signal, stop.signal])
  const connections = createConnections(effects)
  const upload = createUploader(deps, connections)
  const stored: StoredFiles = new Map()
  const ended: CollectedOutput[] = []
  const growing = new Map<string, GrowingUpload>()
  const segments = new Map<string, SegmentStore>()
  const starts = createHeadStarts(log, signal)

  return {
    openAhead: (origin) => connections.openAhead(origin),
    begin(outputs, step) {
      for (const output of outputs) {
        const growth = growthOf(output, step)
        if (growth !== null) grow(output, growth === 'headed')
        else if (output.folder !== null && !removesSegments(output, step)) {
          const { alias, folder } = output
          const store = storeSegments(alias, folder, { ...deps, upload, stored, signal })
          starts.add(store.ended)
          segments.set(alias, store)
        }
      }
    },
    end(outputs) {
      ended.push(...outputs)
      if (outputs.length > 0) starts.add(storeEnded(outputs))
    },
    async finish(allowed) {
      const onAbort = (): void => {
        stop.abort(abortReason(allowed))
      }
      allowed.addEventListener('abort', onAbort, { once: true })
      await runAll(allowed, starts.last())
      await storeOutputs(ended, { work, stored, upload }, allowed)
      keepObjects(
        deps.objects,
        new Set(ended.flatMap(({ files }) => files.map(({ path }) => path))),
      )
    },
    async abort(reason) {
      stop.abort(reason)
      await starts.settled()
      await Promise.allSettled([...growing.values()].map((each) => each.ended))
    },
  }

  async function storeEnded(outputs: readonly CollectedOutput[]): Promise<void> {
    const grown = outputs.filter(({ alias }) => growing.has(alias))
    const others = outputs.filter(({ alias }) => !growing.has(alias))
    await effects.failpoint('transfer.step_stored', () =>
      runAll(signal, [
        async (both) => {
          for (const { alias } of others) await segments.get(alias)?.end()
          await storeOutputs(others, { work, stored, upload }, both)
        },
        ...grown.map((output) => async (both: AbortSignal) => {
          await finishGrowing(output)
          await storeOutputs([output], { work, stored, upload }, both)
        }),
      ]),
    )
  }

  function grow({ alias, path }: PlannedOutput, holdsFirst: boolean): void {
    const file = { alias, path, source: join(work, path), holdsFirst }
    growing.set(alias, startGrowingUpload(file, { ...deps, connections }, signal))
  }

  async function finishGrowing({ alias, path }: CollectedOutput): Promise<void> {
    const found = fingerprint(join(work, path))
    const isStored = (await growing.get(alias)?.finish()) ?? false
    if (isStored && found !== null) stored.set(path, found.state)
  }
}

/**
 * Whether FFmpeg will delete segments of this playlist again. The objects of those that were stored
 * meanwhile would stay behind, without a record.
 */
export function removesSegments({ alias }: PlannedOutput, { groups }: StepPlan): boolean {
  return groups
    .filter((group) => group.kind === 'output' && group.alias === alias)
    .flatMap(({ options }) => options)
    .some(({ name, value }) => {
      const texts = (value ?? []).filter((part) => typeof part === 'string')
      return removing.has(name) || texts.some((text) => text.includes('delete_segments'))
    })
}

const removing: ReadonlySet<string> = new Set(['window_size', 'remove_at_exit'])
