import { partLength } from '../../cli/client/upload/journal.ts'
import type {
  BegunUpload,
  FileFacts,
  UploadJournal,
  UploadSession,
} from '../../cli/client/upload/journal.ts'

/** An upload that another load of the page has begun. */
export interface Unfinished {
  readonly id: string
  readonly name: string
  readonly file: FileFacts
  readonly fileId: string
  readonly storedBytes: number
}

interface StoredSession {
  readonly id: string
  readonly account: string
  readonly name: string
  readonly file: FileFacts
  readonly session: UploadSession
}

interface StoredPart {
  readonly id: string
  readonly part: number
  readonly etag: string
}

/**
 * Uploads that have begun, in IndexedDB: a session of 10,000 URLs is larger than other storages allow.
 * The URLs are credentials for the parts, so signing out deletes the database.
 */
export function createBrowserJournals(databaseName: string) {
  let opened: Promise<IDBDatabase> | null = null
  const database = () => (opened ??= open(databaseName, () => (opened = null)))

  async function run<T>(
    mode: IDBTransactionMode,
    work: (sessions: IDBObjectStore, parts: IDBObjectStore) => IDBRequest<T>,
  ): Promise<T> {
    const transaction = (await database()).transaction(['sessions', 'parts'], mode)
    const request = work(transaction.objectStore('sessions'), transaction.objectStore('parts'))
    await new Promise<void>((resolve, reject) => {
      transaction.addEventListener('complete', () => resolve())
      transaction.addEventListener('abort', () => reject(problemOf(transaction)))
    })
    return request.result
  }
  const partsOf = (id: string) => IDBKeyRange.bound([id, 0], [id, Infinity])

  async function etagsOf(id: string): Promise<Map<number, string>> {
    const parts = await run(
      'readonly',
      (_, all) => all.getAll(partsOf(id)) as IDBRequest<StoredPart[]>,
    )
    return new Map(parts.map(({ part, etag }) => [part, etag]))
  }
  const remove = async (id: string): Promise<void> => {
    await run('readwrite', (sessions, parts) => {
      sessions.delete(id)
      return parts.delete(partsOf(id))
    })
  }

  return {
    /** @param account so that a key of another account does not find it */
    journal(account: string, name: string, facts: FileFacts): UploadJournal {
      const id = idOf(account, name, facts)
      return {
        async read(): Promise<BegunUpload | null> {
          const found = await run(
            'readonly',
            (all) => all.get(id) as IDBRequest<StoredSession | undefined>,
          )
          if (found === undefined) return null
          return { file: found.file, session: found.session, etags: await etagsOf(id) }
        },
        async begin(file, session) {
          await remove(id)
          const begun: StoredSession = { id, account, name, file, session }
          await run('readwrite', (sessions) => sessions.put(begun))
        },
        async stored(part, etag) {
          await run('readwrite', (_, parts) => parts.put({ id, part, etag } satisfies StoredPart))
        },
        remove: () => remove(id),
      }
    },
    async unfinished(account: string): Promise<Unfinished[]> {
      const all = await run(
        'readonly',
        (sessions) => sessions.getAll() as IDBRequest<StoredSession[]>,
      )
      return Promise.all(
        all
          .filter((one) => one.account === account)
          .map(async ({ id, name, file, session }) => {
            const parts = [...(await etagsOf(id)).keys()]
            const storedBytes = parts
              .map((part) => partLength(session, file, part))
              .reduce((sum, length) => sum + length, 0)
            return { id, name, file, fileId: session.file_id, storedBytes }
          }),
      )
    },
    remove,
  }
}

export type BrowserJournals = ReturnType<typeof createBrowserJournals>

/** Identifies an upload of an account by its file. */
export function idOf(account: string, name: string, { sizeBytes, modifiedMs }: FileFacts): string {
  return JSON.stringify([account, name, sizeBytes, modifiedMs])
}

function open(name: string, onClose: () => void): Promise<IDBDatabase> {
  return new Promise((resolve, reject) => {
    const request = indexedDB.open(name, 1)
    request.addEventListener('upgradeneeded', () => {
      request.result.createObjectStore('sessions', { keyPath: 'id' })
      request.result.createObjectStore('parts', { keyPath: ['id', 'part'] })
    })
    request.addEventListener('success', () => {
      // Signing out deletes the database, which waits until it is closed everywhere.
      request.result.addEventListener('versionchange', () => {
        request.result.close()
        onClose()
      })
      resolve(request.result)
    })
    request.addEventListener('error', () => reject(problemOf(request)))
  })
}

function problemOf({ error }: { readonly error: DOMException | null }): Error {
  return error ?? new Error('The storage of this browser refused')
}

/** Journal for pages that must store nothing: an upload ends with the page. */
export function memoryJournal(): UploadJournal {
  let begun: BegunUpload | null = null
  const etags = new Map<number, string>()
  return {
    read: async () => begun,
    async begin(file, session) {
      etags.clear()
      begun = { file, session, etags }
    },
    async stored(part, etag) {
      etags.set(part, etag)
    },
    async remove() {
      begun = null
    },
  }
}
