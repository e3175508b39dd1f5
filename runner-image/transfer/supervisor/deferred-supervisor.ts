import type { Supervisor, SupervisorWork } from './supervisor-link.ts'

/**
 * The supervisor before its container has started: what is asked of it goes out, in this order, the
 * moment it is connected, so that all that comes before a run is done while the container starts.
 * @param connecting rejects where it does not start; so does then what was asked
 */
export function onceConnected(connecting: Promise<Supervisor>): SupervisorWork {
  let connected: Supervisor | null = null
  const known = connecting.then((supervisor) => (connected = supervisor))
  // Whoever asks for something gets it; here nobody waits.
  known.catch(() => undefined)
  return {
    run: async (...asked) => (await known).run(...asked),
    probe: async (...asked) => (await known).probe(...asked),
    kill(reason) {
      known.then(
        (supervisor) => supervisor.kill(reason),
        () => undefined,
      )
    },
    memory: () => connected?.memory() ?? null,
  }
}
