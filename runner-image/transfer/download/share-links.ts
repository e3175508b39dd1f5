/**
 * The address of the file of a share page. A share link opens a page for people; fetched unchanged,
 * that page would be stored as if it were the video.
 */
export function directLink(url: URL): URL {
  switch (url.hostname.toLowerCase()) {
    case 'drive.google.com':
      return googleDrive(url)
    case 'www.dropbox.com':
    case 'dropbox.com':
      return dropbox(url)
    default:
      return url
  }
}

/** `confirm=t` skips the confirmation page for files too large for Google's virus scan. */
function googleDrive(url: URL): URL {
  const id =
    /^\/file\/(?:u\/\d+\/)?d\/([\w-]+)/.exec(url.pathname)?.[1] ??
    (/^\/(?:u\/\d+\/)?(?:open|uc)$/.test(url.pathname) ? url.searchParams.get('id') : null)
  if (id === null) return url
  const direct = new URL('https://drive.usercontent.google.com/download')
  direct.searchParams.set('id', id)
  direct.searchParams.set('export', 'download')
  direct.searchParams.set('confirm', 't')
  const resourceKey = url.searchParams.get('resourcekey')
  if (resourceKey !== null) direct.searchParams.set('resourcekey', resourceKey)
  return direct
}

/** `rlkey` and `st` authorise the recipients of the link; a folder arrives as a zip. */
function dropbox(url: URL): URL {
  if (!/^\/(s|scl\/fi|scl\/fo)\//.test(url.pathname)) return url
  const direct = new URL(url)
  direct.searchParams.delete('raw')
  direct.searchParams.set('dl', '1')
  return direct
}
