import { useEffect, useMemo } from 'preact/hooks'
import { Skeleton } from '../controls/skeleton.tsx'
import { useAddress, useStore } from '../controls/page-hooks.ts'
import { InsteadOfItems, ItemCount, ListPages, WaitingItems } from '../lists/list-frame.tsx'
import { createSelection } from '../lists/selection.ts'
import { attempt } from '../parts/notices.ts'
import { go, href } from '../shell/navigation.ts'
import { counted } from './file-facts.ts'
import { deleteFiles } from './delete-files.ts'
import { createFileList } from './file-list.ts'
import { filtersIn, isFiltered, queryOf } from './file-filters.ts'
import { FileGrid, FileTable } from './file-views.tsx'
import { FileSheet } from './file-sheet.tsx'
import { FilterBar } from './filter-bar.tsx'
import { SelectionBar } from './selection-bar.tsx'
import { UploadButton, UploadList } from './upload-list.tsx'
import type { Client } from '../../cli/client/client-with-effects.ts'
import type { ListedFile } from './file-facts.ts'
import type { FileList } from './file-list.ts'
import type { FileFilters } from './file-filters.ts'

interface Props {
  readonly client: Client
  readonly profileId: string
  readonly query: URLSearchParams
}

/** Outputs, uploads and files from URLs: what they are, and what can be done with them. */
export function FilesPage({ client, profileId, query }: Props) {
  const filters = useAddress(query, filtersIn)
  // The details and the view do not change what is listed.
  const listed = useAddress(queryOf({ ...filters, open: null, view: 'grid' }), filtersIn)
  const list = useStore(() => createFileList(client, listed), [client, listed])
  const selection = useMemo(createSelection, [])
  const selected = selection.chosen
  useEffect(() => list.hold(selected.value.size > 0), [list, selected.value])
  const hold = (held: boolean) => list.hold(held || selected.value.size > 0)
  const chosen = list.items.value.filter(({ file_id: id }) => selected.value.has(id))
  const close = () => go({ page: 'files', query: queryOf({ ...filters, open: null }) }, 'replace')
  const remove = (files: readonly ListedFile[]) =>
    attempt(async () => {
      const ids = await deleteFiles(client, files)
      if (ids === null) return 'Nothing was deleted.'
      list.remove(ids)
      selection.clear()
      if (filters.open !== null) close()
      return `${counted(ids.size)} deleted.`
    })
  const View = filters.view === 'grid' ? FileGrid : FileTable

  return (
    <>
      <header class="page-head row">
        <h1>Files</h1>
        <WaitingItems list={list} />
        <span class="space" />
        <UploadButton />
      </header>
      <UploadList />
      <FilterBar filters={filters}>
        <ItemCount list={list} one="file" isFirst={filters.before === null} />
      </FilterBar>
      <SelectionBar
        client={client}
        profileId={profileId}
        files={chosen}
        remove={() => void remove(chosen)}
        clear={selection.clear}
      />
      <div onPointerEnter={() => hold(true)} onPointerLeave={() => hold(false)}>
        {list.items.value.length > 0 && (
          <View files={list.items.value} filters={filters} selection={selection} />
        )}
        <InsteadOfItems
          list={list}
          item="file"
          loading={<Skeleton late="Still asking for the files." />}
          unfiltered={
            isFiltered(filters) || filters.before !== null ? href({ page: 'files' }) : null
          }
        >
          <p>Outputs and uploads appear here.</p>
          <p class="muted">Drop files on this page to upload them.</p>
        </InsteadOfItems>
      </div>
      <OtherPages list={list} filters={filters} />
      {filters.open !== null && (
        <FileSheet
          key={filters.open}
          client={client}
          profileId={profileId}
          close={close}
          id={filters.open}
          remove={(file) => void remove([file])}
        />
      )}
    </>
  )
}

interface ListProps {
  readonly list: FileList
  readonly filters: FileFilters
}

function OtherPages({ list, filters }: ListProps) {
  const last = list.items.value.at(-1)?.file_id
  const to = (before: string | null) =>
    href({ page: 'files', query: queryOf({ ...filters, before, open: null }) })
  return (
    <ListPages
      newest={filters.before === null ? null : to(null)}
      older={list.hasOlder.value && last !== undefined ? to(last) : null}
    />
  )
}
