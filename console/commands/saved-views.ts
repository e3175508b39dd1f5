import { signal } from '@preact/signals'
import { viewsIn, withView } from './named-views.ts'
import type { SavedView } from './named-views.ts'

const storageName = 'cloud-ffmpeg.views'

export const savedViews = signal<readonly SavedView[]>(viewsIn(localStorage.getItem(storageName)))

export function saveView(view: SavedView): void {
  store(withView(savedViews.value, view))
}

export function removeView(name: string): void {
  store(savedViews.value.filter((view) => view.name !== name))
}

function store(views: readonly SavedView[]): void {
  savedViews.value = views
  if (views.length === 0) localStorage.removeItem(storageName)
  else localStorage.setItem(storageName, JSON.stringify(views))
}
