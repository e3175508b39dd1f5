import { Icon } from '../controls/icons.tsx'
import { Picture } from '../preview/picture.tsx'
import { nameOf, pictureKind } from '../preview/preview-kind.ts'
import { stateOf, titleOf, typeWord } from './file-facts.ts'
import type { IconName } from '../controls/shapes.ts'
import type { ListedFile } from './file-facts.ts'

/** A larger picture is shown in the details alone. */
const mostImageMbytes = 8

/** Preview in a tile. A private file has no URL without a signature, so it has a shape. */
export function Thumbnail({ file }: { readonly file: ListedFile }) {
  const url = file.storage_url
  const kind = pictureKind(nameOf(file))
  const shape = (
    <span class="thumbnail shape">
      <Icon name={shapeOf(file)} />
      <span>{wordOf(file)}</span>
    </span>
  )
  const isLarge = kind === 'image' && (file.size_mbytes ?? Infinity) > mostImageMbytes
  if (url === null || kind === null || file.is_private || isLarge) return shape
  return (
    <Picture url={url} kind={kind}>
      {shape}
    </Picture>
  )
}

function shapeOf(file: ListedFile): IconName {
  if (file.status !== 'STORED') return stateOf(file).icon
  if (file.is_private) return 'lock'
  switch (file.file_type) {
    case 'video':
    case 'output_manifest':
      return 'play'
    case 'audio':
      return 'sound'
    default:
      return 'file'
  }
}

function wordOf(file: ListedFile): string {
  if (file.status !== 'STORED') return stateOf(file).word
  const extension = titleOf(file).split('.').at(-1) ?? ''
  const word = typeWord(file) || extension
  return file.is_private ? `${word} · private` : word
}
