import type { Supervisor, SupervisorWork } from './supervisor-link.ts'

/**
 * The supervisor before its container has started: requests are sent FIFO the moment it is
 * connected, so that all work before a run is done while the container starts.
 * @param connecting rejects if it does not start; all requests reject with the same error
 */
export function deferredSupervisor(connecting: Promise<Supervisor>): SupervisorWork {
  let connected: Supervisor | null = null
  const known = connecting.then((supervisor) => (connected = supervisor))
  // Callers observe the rejection; this prevents an unhandledRejection.
  known.catch(() => undefined)
  return {
    run: async (...args) => (await known).run(...args),
    probe: async (...args) => (await known).probe(...args),
    kill(reason) {
      known.then(
        (supervisor) => supervisor.kill(reason),
        () => undefined,
      )
    },
    memory: () => connected?.memory() ?? null,
  }
}
