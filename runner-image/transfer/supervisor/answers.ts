import type {
  Exited,
  FromSupervisor,
  Memory,
  Probed,
  Progress,
  Ready,
  StderrLines,
} from '../../link/messages.ts'

export interface RunWatch {
  onProgress(progress: Progress): void
  onStderr(lines: StderrLines): void
}

/** Answers of the supervisor, by the requests that wait for them; all reject once the link is lost. */
export interface Answers {
  readonly ready: Promise<Ready>
  /** @throws the error of the lost link */
  readonly probed: (id: string) => Promise<Probed>
  /** @throws the error of the lost link */
  readonly exited: (id: string, watch: RunWatch) => Promise<Exited>
  /** The last report; null before the first. */
  readonly memory: () => Memory | null
  receive(message: FromSupervisor): void
  lose(error: Error): void
  /** null while the link is there. */
  readonly lost: () => Error | null
}

export function createAnswers(): Answers {
  const ready = Promise.withResolvers<Ready>()
  const probes = new Map<string, PromiseWithResolvers<Probed>>()
  const runs = new Map<string, PromiseWithResolvers<Exited> & { readonly watch: RunWatch }>()
  let memory: Memory | null = null
  let lost: Error | null = null
  // No caller waits for it once it has settled; `onLost` delivers its rejection to all requests.
  ready.promise.catch(() => undefined)

  return {
    ready: ready.promise,
    async probed(id) {
      if (lost !== null) throw lost
      const answer = Promise.withResolvers<Probed>()
      probes.set(id, answer)
      return answer.promise
    },
    async exited(id, watch) {
      if (lost !== null) throw lost
      const answer = Promise.withResolvers<Exited>()
      runs.set(id, { ...answer, watch })
      return answer.promise
    },
    memory: () => memory,
    receive(message) {
      switch (message.type) {
        case 'ready':
          return ready.resolve(message)
        case 'memory':
          memory = message
          return
        case 'probed':
          probes.get(message.id)?.resolve(message)
          probes.delete(message.id)
          return
        case 'progress':
          return runs.get(message.id)?.watch.onProgress(message)
        case 'stderr':
          return runs.get(message.id)?.watch.onStderr(message)
        case 'exited':
          runs.get(message.id)?.resolve(message)
          runs.delete(message.id)
      }
    },
    lose(error) {
      lost = error
      ready.reject(error)
      for (const waiting of [...probes.values(), ...runs.values()]) waiting.reject(error)
    },
    lost: () => lost,
  }
}
