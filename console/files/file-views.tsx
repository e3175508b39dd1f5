import { Icon } from '../controls/icons.tsx'
import { now } from '../parts/now.ts'
import { age } from '../parts/relative-time.ts'
import { href } from '../shell/navigation.ts'
import { fileLine, originOf, sizeWords, stateOf, titleOf, typeWord } from './file-facts.ts'
import { queryOf } from './file-filters.ts'
import { Thumbnail } from './thumbnail.tsx'
import type { Selection } from '../lists/selection.ts'
import type { FileFilters } from './file-filters.ts'
import type { ListedFile } from './file-facts.ts'

interface Props {
  readonly files: readonly ListedFile[]
  readonly filters: FileFilters
  readonly selection: Selection
}

/** Tiles with pictures. */
export function FileGrid({ files, filters, selection }: Props) {
  return (
    <ul class="tiles" aria-label="Files">
      {files.map((file) => (
        <li
          key={file.file_id}
          class={selection.chosen.value.has(file.file_id) ? 'tile frame picked' : 'tile frame'}
        >
          <a class="tile-link" href={detailsOf(filters, file)}>
            <span aria-hidden="true">
              <Thumbnail file={file} />
            </span>
            <span class="tile-name clip" title={titleOf(file)}>
              {titleOf(file)}
            </span>
          </a>
          <span class="tile-line muted number">
            <Pick file={file} files={files} selection={selection} />
            <span class="clip">{fileLine(file, now.value)}</span>
          </span>
        </li>
      ))}
    </ul>
  )
}

/** One line a file. */
export function FileTable({ files, filters, selection }: Props) {
  return (
    <table class="file-table list-table">
      <thead>
        <tr>
          <th>
            <span class="off-screen">Select</span>
          </th>
          <th>Name</th>
          <th>Type</th>
          <th>From</th>
          <th>State</th>
          <th class="number">Size</th>
          <th class="number">Age</th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <tr key={file.file_id}>
            <td>
              <Pick file={file} files={files} selection={selection} />
            </td>
            <td class="name-cell">
              <a class="clip" href={detailsOf(filters, file)} title={titleOf(file)}>
                {titleOf(file)}
              </a>
            </td>
            <td class="muted type-cell">{typeWord(file)}</td>
            <td class="muted from-cell">{originOf(file)}</td>
            <td class="state-cell">
              <State file={file} />
            </td>
            <td class="number size-cell">{sizeWords(file)}</td>
            <td class="number age-cell" title={file.created_at}>
              {age(file.created_at, now.value)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function State({ file }: { readonly file: ListedFile }) {
  const { word, icon, tone } = stateOf(file)
  return (
    <span class={`state ${tone}`}>
      <Icon name={icon} />
      <span class="word">{word}</span>
      {file.is_private && <span class="muted">private</span>}
    </span>
  )
}

type PickProps = Omit<Props, 'filters'> & { readonly file: ListedFile }

function Pick({ file, files, selection: { chosen, pick } }: PickProps) {
  const id = file.file_id
  const shown = () => files.map(({ file_id: one }) => one)
  return (
    <input
      type="checkbox"
      aria-label={`Select ${titleOf(file)}`}
      checked={chosen.value.has(id)}
      onClick={({ shiftKey }) => pick(id, shown(), shiftKey)}
    />
  )
}

function detailsOf(filters: FileFilters, file: ListedFile): string {
  return href({ page: 'files', query: queryOf({ ...filters, open: file.file_id }) })
}
