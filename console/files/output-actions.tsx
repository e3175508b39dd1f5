import { Button } from '../controls/button.tsx'
import { attempt } from '../parts/notices.ts'
import { profile } from '../shell/session.ts'
import { deleteFiles } from './delete-files.ts'
import { download, useInPlayground } from './file-actions.ts'
import type { FileRecord } from '../../common/openapi/openapi-types.ts'
import type { Client } from '../../cli/client/client-with-effects.ts'

interface Props {
  readonly client: Client
  readonly file: FileRecord
  /** Reads the record of the command again. */
  readonly read: () => Promise<void>
}

/** Actions on one output of a command. */
export function OutputActions({ client, file, read }: Props) {
  const remove = () =>
    attempt(async () => {
      if ((await deleteFiles(client, [file])) === null) return 'The file stays.'
      await read()
      return 'The file is deleted.'
    })
  return (
    <>
      <Button icon="download" onClick={() => attempt(() => download(client, file))}>
        Download
      </Button>
      <Button icon="play" onClick={() => useInPlayground(profile.peek()?.id ?? '', [file])}>
        Use as input
      </Button>
      <Button look="bad" onClick={remove}>
        Delete
      </Button>
    </>
  )
}
