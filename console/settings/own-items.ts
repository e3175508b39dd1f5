const prefix = 'cloud-ffmpeg.'

/** Removes what this console has stored; other programs of the origin keep theirs. */
export function forgetOwnItems(storages: readonly Storage[]): void {
  for (const storage of storages) {
    const names = Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
    for (const name of names) if (name.startsWith(prefix)) storage.removeItem(name)
  }
}
