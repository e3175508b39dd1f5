/**
 * The manifest of a playlist that a command has stored, with its segments; `f` is the file. A manifest
 * that somebody uploaded, or an output that only looks like one, owns nothing but itself.
 */
export const isPlaylist = `
  (f.store_type = 'OUTPUT' and f.file_count is not null
    and coalesce(f.media ->> 'file_type' = 'output_manifest', false))`
