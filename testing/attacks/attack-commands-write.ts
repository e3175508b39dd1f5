/**
 * In the notation of `attack-commands-crafted.fixture.ts`.
 * W writes a file, as an output, beside one, by an encoder or by a filter.
 */
export const writeAttacks = String.raw`
W101 -i in.mp4 -c copy -f mp4 ⟦file:OUT/a⇒a⟧
W102 -i in.mp4 -c copy -f mp4 ⟦file://OUT/a⇒a⟧
W103 -i in.mp4 -c copy -f mp4 ⟦/OUT/a⇒a⟧
W104 -i in.mp4 -c copy -f mp4 ⟦./REL_OUT/a⇒./a⟧
W105 -i in.mp4 -c copy -f mp4 ⟦sub/../REL_OUT/a⇒sub/a⟧
W106 -i in.mp4 -c copy -f mp4 ⟦/proc/self/cwd/REL_OUT/a⇒a⟧
W107 -i in.mp4 -c copy -f mp4 ⟦/proc/self/rootOUT/a⇒a⟧
W108 -i in.mp4 -c copy -f mpegts ⟦tee:OUT/a|a.ts⇒a.ts⟧
W109 -i in.mp4 -c copy -f mpegts ⟦md5:OUT/a⇒a.ts⟧
W110 -i in.mp4 -c copy -key 00112233445566778899aabbccddeeff -iv 00112233445566778899aabbccddeeff -f mpegts ⟦crypto:OUT/a⇒a.ts⟧
W111 -i in.mp4 -c copy -f mpegts ⟦pipe:3⇒a.ts⟧
W112 -i in.mp4 -c copy -f mpegts ⟦/proc/self/fd/3⇒a.ts⟧
W113 -i in.mp4 -c copy -f mpegts ⟦/dev/stderr⇒a.ts⟧
W114 -i in.mp4 -f image2 ⟦OUT/%d.png⇒%d.png⟧
W115 -i in.mp4 -f image2 -strftime 1 ⟦REL_OUT/%Y.png⇒%Y.png⟧
W116 -i in.mp4 -f segment ⟦OUT/s%d.ts⇒s%d.ts⟧
W117 -i in.mp4 -c copy -f segment -segment_list ⟦REL_OUT/l.csv⇒l.csv⟧ s%d.ts
W118 -i in.mp4 -c copy -f segment -segment_list ⟦file:OUT/l.csv⇒l.csv⟧ s%d.ts
W119 -i in.mp4 -c copy -f segment -segment_format mpegts -segment_header_filename ⟦OUT/h⇒h⟧ s%d.ts
W120 -i in.mp4 -c copy -f ssegment ⟦OUT/s%d.ts⇒s%d.ts⟧
W121 -i in.mp4 -c copy -f hls ⟦OUT/x.m3u8⇒x.m3u8⟧
W122 -i in.mp4 -c copy -f hls -hls_segment_filename ⟦REL_OUT/h%d.ts⇒h%d.ts⟧ h.m3u8
W123 -i in.mp4 -c copy -f hls -hls_segment_type fmp4 -hls_fmp4_init_filename ⟦REL_OUT/i.mp4⇒i.mp4⟧ x.m3u8
W124 -i in.mp4 -c copy -f hls -master_pl_name ⟦REL_OUT/m.m3u8⇒m.m3u8⟧ x.m3u8
W125 -i in.mp4 -map 0:v -map 0:v -c copy -f hls -var_stream_map ⟦"v:0,name:REL_OUT/a v:1,name:b"⇒"v:0,name:a v:1,name:b"⇒"v:0,name:REL_OUT/a v:1,name:b"⟧ %v.m3u8
W126 -i in.mp4 -map 0:v -map 0:v -c copy -f hls -var_stream_map ⟦"v:0,name:. v:1,name:b"⇒"v:0,name:a v:1,name:b"⇒"v:0,name:. v:1,name:b"⟧ -hls_segment_filename %v./%v./link/out/%d.ts %v.m3u8
W127 -i in.mp4 -c copy -f dash ⟦OUT/x.mpd⇒x.mpd⟧
W128 -i in.mp4 -c copy -f dash -init_seg_name ⟦'REL_OUT/i$RepresentationID$.m4s'⇒'i$RepresentationID$.m4s'⇒'REL_OUT/i$RepresentationID$.m4s'⟧ x.mpd
W129 -i in.mp4 -c copy -f dash -media_seg_name ⟦'REL_OUT/c$RepresentationID$-$Number$.m4s'⇒'c$RepresentationID$-$Number$.m4s'⇒'REL_OUT/c$RepresentationID$-$Number$.m4s'⟧ x.mpd
W130 -i in.mp4 -c copy -f dash -single_file 1 -single_file_name ⟦'REL_OUT/f$RepresentationID$.mp4'⇒'f$RepresentationID$.mp4'⇒'REL_OUT/f$RepresentationID$.mp4'⟧ x.mpd
W131 -i in.mp4 -c copy -f dash -hls_playlist 1 -hls_master_name ⟦REL_OUT/m.m3u8⇒m.m3u8⟧ x.mpd
W132 -i in.mp4 -map 0:v -c:v libvpx -f webm_chunk -chunk_start_index 1 -header ⟦OUT/h.hdr⇒h.hdr⟧ c_%d.chk
W133 ⟦-progress file:OUT/p⇒-re⇒-progress⟧ -i in.mp4 -f null -
W134 -i in.mp4 -c:v libx264 -b:v 100k -pass 1 -passlogfile ⟦REL_OUT/pl⇒pl⟧ -an -f null -
W135 -i in.mp4 -c:v libx264 -b:v 100k -flags:v +pass1 -passlogfile:v ⟦OUT/pl⇒pl⟧ -an -f null -
W136 -i in.mp4 -stats_enc_post:v:0 ⟦OUT/s⇒s⟧ -c:v libx264 -f null -
W137 -i in.mp4 -stats_mux_pre:v ⟦file:OUT/s⇒s⟧ -c:v libx264 -f null -
W138 ⟦-dump_attachment:0 OUT/att⇒-copyts⇒-dump_attachment:0⟧ -i att.mkv -f null -
W139 ⟦-sdp_file OUT/s⇒-copyts⇒-sdp_file⟧ -i in.mp4 -c copy -f null -
W140 ⟦-report⇒-re⟧ -i in.mp4 -f null -
W141 -i in.mp4 -c:v libx264 -x264opts ⟦dump-yuv=OUT/y⇒dump-yuv=y⟧ -an -f null -
W142 -i in.mp4 -c:v libx264 -x264-params:v ⟦pass=1:stats=REL_OUT/x:bitrate=100⇒pass=1:stats=x:bitrate=100⟧ -an -f null -
W143 -i in.mp4 -c:v libx264 -x264-params ⟦"dump\-yuv='OUT/y'"⇒"dump\-yuv='y'"⇒"dump\-yuv='OUT/y'"⟧ -an -f null -
W144 -i in.mp4 -c:v libx265 -x265-params ⟦csv=REL_OUT/c:csv-log-level=2⇒csv=c:csv-log-level=2⟧ -an -f null -
W145 -i in.mp4 -c:v libx265 -x265-params ⟦recon=OUT/r.yuv⇒recon=r.yuv⟧ -an -f null -
W146 -i in.mp4 -c:v libx265 -x265-params ⟦pass=1:stats=OUT/s⇒pass=1:stats=s⟧ -an -f null -
W147 -i in.mp4 -c:v libx265 -x265-params ⟦analysis-save=OUT/a⇒analysis-save=a⟧ -an -f null -
W148 -i in.mp4 -c:v libsvtav1 -svtav1-params ⟦pass=1:stats=OUT/s⇒preset=13⟧ -frames:v 1 -an -f null -
W149 -i in.mp4 -vf metadata=mode=print:file=⟦REL_OUT/md⇒md⟧ -f null -
W150 -i in.mp4 -vf metadata@x=print:file=⟦\/link/out/md⇒\md⇒\/link/out/md⟧ -f null -
W151 -i in.mp4 -vf "me\tadata=print:file=⟦OUT/md⇒md⟧" -f null -
W152 -i in.mp4 -vf "me'tadat'a=print:file='⟦OUT/md⇒md⟧'" -f null -
W153 -i in.mp4 -vf "sws_flags=bicubic;[in] metadata = print : file = ⟦OUT/md⇒md⟧ [out]" -f null -
W154 -i in.mp4 -vf 'metadata=print:file=⟦file\\:OUT/md⇒md⟧' -f null -
W155 -i in.mp4 -af ametadata=print:file=⟦OUT/md⇒md⟧ -f null -
W156 -i in.mp4 -filter_complex "[0:v]split[a][b];[a][b]psnr=⟦OUT/p⇒p⟧" -f null -
W157 -i in.mp4 -filter_complex "[0:v]split[a][b];[a][b]ssim=f=⟦OUT/p⇒p⟧" -f null -
W158 -i in.mp4 -filter_complex "[0:v]split[a][b];[a][b]xpsnr=stats_file=⟦OUT/p⇒p⟧" -f null -
W159 -i in.mp4 -vf vmafmotion=⟦OUT/v⇒v⟧ -f null -
W160 -i in.mp4 -vf deshake=filename=⟦OUT/d⇒d⟧ -f null -
W161 -i in.mp4 -vf vidstabdetect=⟦REL_OUT/t⇒t⟧ -f null -
W162 -i in.mp4 -vf "signature=format=xml:filename=⟦OUT/sig-%d.xml⇒sig-%d.xml⟧" -f null -
W163 -i in.mp4 -filter_complex "[0:v]split[a][b];[a]palettegen[p];[b][p]paletteuse=debug_kdtree=⟦OUT/k⇒k⟧" -f null -
W164 -i in.mp4 -filter_complex "[0:v]curves=lighter:plot=⟦REL_OUT/c⇒c⟧" -f null -
W165 -i in.mp4 -map 0 -c copy -f tee "o.ts|[f=mp4]⟦OUT/t⇒t⟧"
W166 -i in.mp4 -map 0 -c copy -f tee "o.ts|[f=mp4:onfail=ignore]⟦REL_OUT/t⇒t⟧"
W167 -i in.mp4 -map 0 -c copy -f tee "o.ts|⟦file:OUT/t.ts⇒t.ts⟧"
W168 -i in.mp4 -map 0 -c copy -f tee "[f=hls:hls_segment_filename=⟦OUT/h%d.ts⇒h%d.ts⟧]h.m3u8"
W169 -i in.mp4 -map 0 -c copy -f tee "[f=segment:segment_list=⟦OUT/l⇒l⟧]s%d.ts"
W170 -i in.mp4 -map 0 -c copy -f tee "[f=fifo:fifo_format=⟦tee]a.ts\\|OUT/b.ts⇒mpegts]a.ts⇒tee⟧"
W171 -i in.mp4 -map 0 -c copy -f tee "[f=fifo:fifo_format=segment:format_opts=⟦segment_list=OUT/l⇒segment_list=l⟧]s%d.ts"
W172 -i in.mp4 -map 0 -c copy -f fifo -fifo_format ⟦tee "a.ts|OUT/b.ts"⇒mpegts a.ts⇒tee⟧
W173 -i in.mp4 -map 0 -c copy -f fifo -fifo_format segment -format_opts ⟦segment_list=OUT/l⇒segment_list=l⟧ s%d.ts
W174 -i in.mp4 -map 0 -c copy -f fifo -fifo_format segment -format_opts ⟦"'segment_list'=OUT/l"⇒"'segment_list'=l"⇒"'segment_list'=OUT/l"⟧ s%d.ts
W175 -i in.mp4 -map 0 -c copy -f fifo -fifo_format segment -format_opts ⟦"segment\\_list=OUT/l"⇒"segment\\_list=l"⇒"segment\\_list=OUT/l"⟧ s%d.ts
`
