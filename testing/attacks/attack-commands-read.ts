/**
 * In the notation of `attack-commands-crafted.fixture.ts`.
 * R reads a file, by a name, a protocol, a pattern, a script or a filter.
 */
export const readAttacks = String.raw`
R101 -f data -i ⟦concat:file:SECRET|SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R102 -f data -i ⟦subfile,,start,2,end,200,,:file:SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R103 -f data -i ⟦async:file:SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R104 -f data -i ⟦async:concatf:lstc⇒in.bin⟧ -map 0 -c copy -f data o.bin
R105 -f data -i ⟦file://SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R106 -f data -i ⟦FILE:SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R107 -f data -i ⟦/SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R108 -f data -i ⟦./REL_SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R109 -f data -i ⟦sub/../REL_SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R110 -f data -i ⟦'REL_SECRET'⇒in.bin⇒'REL_SECRET'⟧ -map 0 -c copy -f data o.bin
R111 -f data -i ⟦"REL_SECRET"⇒in.bin⇒"REL_SECRET"⟧ -map 0 -c copy -f data o.bin
R112 -f data -i ⟦\REL_SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R113 -f data -i ⟦/proc/self/cwd/REL_SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R114 -f data -i ⟦/proc/self/rootSECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R115 -f data -i ⟦/proc/1/environ⇒in.bin⟧ -map 0 -c copy -f data o.bin
R116 -f data -i ⟦/proc/1/rootSECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R117 -f data -i ⟦/proc/thread-self/rootSECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R118 -f data -i ⟦/proc/self/fd/3⇒in.bin⟧ -map 0 -c copy -f data o.bin
R119 -f data -i ⟦/dev/stdin⇒in.bin⟧ -map 0 -c copy -f data o.bin
R120 -f data -i ⟦/dev/zero⇒in.bin⟧ -t 1 -fs 1000 -map 0 -c copy -f data o.bin
R121 -f data -i ⟦pipe:0⇒in.bin⟧ -map 0 -c copy -f data o.bin
R122 -f data -i ⟦pipe:⇒in.bin⟧ -map 0 -c copy -f data o.bin
R123 -f data -i ⟦-⇒in.bin⟧ -map 0 -c copy -f data o.bin
R124 -f data -fd 0 -i ⟦fd:⇒in.bin⟧ -map 0 -c copy -f data o.bin
R125 -f data -i ⟦data:text/plain;base64,Q0FOQVJZ⇒in.bin⟧ -map 0 -c copy -f data o.bin
R126 -f data -key 00112233445566778899aabbccddeeff -iv 00112233445566778899aabbccddeeff -i ⟦crypto:SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R127 -f data -stream_loop 1 -itsoffset 1 -i ⟦SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R128 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type none -i ⟦SECRET⇒in.bin⟧ -frames:v 1 -f rawvideo o.bin
R129 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦SECRET*⇒*.bin⟧ -frames:v 1 -f rawvideo o.bin
R130 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦REL_SECRET*⇒*.bin⟧ -frames:v 1 -f rawvideo o.bin
R131 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦.*/.*SECRET⇒s*/*.bin⟧ -frames:v 1 -f rawvideo o.bin
R132 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦.?/.?SECRET⇒s?b/*.bin⟧ -frames:v 1 -f rawvideo o.bin
R133 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦.[.]/.[.]SECRET⇒[s]ub/*.bin⟧ -frames:v 1 -f rawvideo o.bin
R134 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦{.,x}./{.,x}.SECRET⇒{s,x}ub/*.bin⟧ -frames:v 1 -f rawvideo o.bin
R135 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦{..,a}/{..,b}SECRET⇒{sub,a}/*.bin⟧ -frames:v 1 -f rawvideo o.bin
R136 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦{in.bin,SECRET}⇒{in.bin,sub/a.bin}⟧ -frames:v 1 -f rawvideo o.bin
R137 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -i ⟦.%*/.%*SECRET⇒sub/%*.bin⟧ -frames:v 1 -f rawvideo o.bin
R138 -f image2pipe -c:v rawvideo -pixel_format gray -video_size 30x1 -i ⟦SECRET⇒in.bin⟧ -frames:v 1 -f rawvideo o.bin
R139 -f mulaw -ar 8000 -ac 1 -i ⟦SECRET⇒in.bin⟧ -c copy -f data -map 0 o.bin
R140 -f h264 -i ⟦SECRET⇒in.bin⟧ -c copy -f data -map 0 o.bin
R141 -f concat -safe 0 -i ⟦SECRET⇒list.ffconcat⟧ -map 0 -c copy -f matroska o.bin
R142 -f sami -i ⟦SECRET⇒in.sub⟧ -c:s srt -f srt o.bin
R143 -f mpl2 -i ⟦SECRET⇒in.sub⟧ -c:s srt -f srt o.bin
R144 -f vobsub -sub_name ⟦SECRET⇒in.sub⟧ -i in.idx -map 0 -c copy -f data o.bin
R145 -f imf -assetmaps ⟦a.xml,SECRET⇒a.xml,b.xml⟧ -i cpl.xml -f null -
R146 -ifo_palette ⟦SECRET⇒in.ifo⟧ -i in.mp4 -f null -
R147 -f lavfi -i "amovie=filename=⟦SECRET⇒in.bin⟧:format_name=u8" -f u8 o.bin
R148 -f lavfi -i am\'ovi\'e=⟦SECRET⇒in.bin⟧:f=u8 -f u8 o.bin
R149 -f lavfi -i "amovie@x=⟦SECRET⇒in.bin⟧:f=u8" -f u8 o.bin
R150 -f lavfi -i " amovie = '⟦SECRET⇒in.bin⟧' :f=u8" -f u8 o.bin
R151 -f lavfi -i amovie=⟦\REL_SECRET⇒\in.bin⇒\REL_SECRET⟧:f=u8 -f u8 o.bin
R152 -f lavfi -i 'amovie=⟦concat\\:SECRET⇒in.bin⟧:f=u8' -f u8 o.bin
R153 -f lavfi -i "amovie=⟦'file\:SECRET'⇒'in.bin'⇒file\:SECRET⟧:f=u8" -f u8 o.bin
R154 -f lavfi -i 'movie=⟦SECRET⇒in.bin⟧:f=rawvideo:format_opts=video_size=30x1\\:pixel_format=gray' -frames:v 1 -f rawvideo o.bin
R155 -f lavfi -graph amovie=⟦SECRET⇒in.bin⟧:f=u8 -i x -f u8 o.bin
R156 -f LAVFI -i amovie=⟦SECRET⇒in.bin⟧:f=u8 -f u8 o.bin
R157 -f lavfi -i "anullsrc[a];amovie=⟦SECRET⇒in.bin⟧:f=u8[b];[a][b]amix=duration=shortest:weights=0 1:normalize=0" -f u8 o.bin
R158 -i in.mp4 -filter_complex "amovie=⟦SECRET⇒in.bin⟧:f=u8[a]" -map [a] -f u8 o.bin
R159 -i in.mp4 -lavfi "sws_flags=bicubic;amovie=⟦SECRET⇒in.bin⟧:f=u8[a]" -map [a] -f u8 o.bin
R160 -i in.mp4 -map 0 -c copy -attach ⟦file:SECRET⇒notes.txt⟧ -metadata:s:t mimetype=text/plain -f matroska o.bin
R161 -i in.mp4 -map 0 -c copy -attach ⟦REL_SECRET⇒notes.txt⟧ -metadata:s:t mimetype=text/plain -f matroska o.bin
R162 -i in.mp4 ⟦-/metadata:g SECRET⇒-metadata:g a=b⇒-/metadata:g⟧ -c copy -f matroska o.bin
R163 -i in.mp4 ⟦-/c:v SECRET⇒-c:v libx264⇒-/c:v⟧ -f null -
R164 -i in.mp4 ⟦-/t SECRET⇒-t 1⇒-/t⟧ -f null -
R165 -i in.mp4 ⟦-/vf SECRET⇒-vf hflip⇒-/vf⟧ -f null -
R166 -i in.mp4 ⟦-filter_script:v SECRET⇒-filter:v hflip⇒-filter_script:v⟧ -f null -
R167 -i in.mp4 ⟦-filter_complex_script SECRET⇒-filter_complex [0:v]hflip⇒-filter_complex_script⟧ -f null -
R168 -i in.mp4 ⟦-pre:v REL_SECRET⇒-preset:v fast⇒-pre:v⟧ -c:v libx264 -f null -
R169 -i in.mp4 ⟦-vpre REL_SECRET⇒-preset fast⇒-vpre⟧ -c:v libx264 -f null -
R170 -i in.mp4 ⟦-fpre SECRET⇒-preset fast⇒-fpre⟧ -c:v libx264 -f null -
R171 -i in.mp4 -vf "sendcmd=c='⟦0.0 drawtext reinit textfile=SECRET⇒0.0 drawtext reinit textfile=notes.txt⇒SECRET⟧',drawtext=textfile=empty.txt:fontfile=FONT" -frames:v 1 -f md5 o.md5
R172 -i in.mp4 -vf "sendcmd=c='⟦0 [enter] Parsed_drawtext_1 reinit textfile=SECRET⇒0 [enter] Parsed_drawtext_1 reinit textfile=notes.txt⇒SECRET⟧',drawtext=textfile=empty.txt:fontfile=FONT" -frames:v 1 -f md5 o.md5
R173 -i in.mp4 -vf "sendcmd=c='⟦0 lut1d file SECRET⇒0 lut1d interp nearest⇒SECRET⟧',lut1d" -f null -
R174 -i in.mp4 -vf "drawtext=textfile=⟦SECRET⇒notes.txt⟧:fontfile=FONT" -frames:v 1 -f md5 o.md5
R175 -i in.mp4 -vf "dr\awtext=⟦/text⇒text⟧=SECRET:fontfile=FONT" -frames:v 1 -f md5 o.md5
R176 -i in.mp4 -vf "drawtext@a=fontfile=FONT:⟦/text⇒text⟧=SECRET" -frames:v 1 -f md5 o.md5
R177 -i in.mp4 -vf subtitles=⟦SECRET⇒in.srt⟧ -f null -
R178 -i in.mp4 -vf "ass=f=in.ass:fontsdir=⟦/usr/share/fonts/../../../app⇒/usr/share/fonts/truetype⟧" -f null -
R179 -i in.mp4 -vf lut3d=⟦SECRET⇒a.cube⟧ -f null -
R180 -i in.mp4 -vf lut1d=file=⟦SECRET⇒a.cube⟧ -f null -
R181 -i in.mp4 -vf curves=psfile=⟦SECRET⇒a.acv⟧ -f null -
R182 -i in.mp4 -vf selectivecolor=psfile=⟦SECRET⇒a.asv⟧ -f null -
R183 -i in.mp4 -vf removelogo=⟦SECRET⇒a.pgm⟧ -f null -
R184 -i in.mp4 -vf fieldhint=⟦SECRET⇒hints.txt⟧ -f null -
R185 -i in.mp4 -vf fsync=⟦SECRET⇒sync.txt⟧ -f null -
R186 -i in.mp4 -vf nnedi=⟦SECRET⇒nnedi.bin⟧ -f null -
R187 -i in.mp4 -vf find_rect=⟦SECRET⇒a.pgm⟧ -f null -
R188 -i in.mp4 -vf find_rect=a.pgm,cover_rect=⟦SECRET⇒a.jpg⟧ -f null -
R189 -i in.mp4 -vf vidstabtransform=input=⟦SECRET⇒t.trf⟧ -f null -
R190 -i in.mp4 -af arnndn=m=⟦SECRET⇒a.rnnn⟧ -f null -
R191 -i in.mp4 -af sofalizer=sofa=⟦SECRET⇒a.sofa⟧ -f null -
R192 -i in.mp4 -af asendcmd=f=⟦SECRET⇒commands.txt⟧ -f null -
R193 -f lavfi -i cellauto=f=⟦SECRET⇒pattern.txt⟧ -t 1 -f null -
R194 -f lavfi -i life=⟦SECRET⇒pattern.txt⟧ -t 1 -f null -
R195 -f lavfi -i flite=textfile=⟦SECRET⇒notes.txt⟧ -t 1 -f null -
R196 -i in.mp4 -filter_complex "[0:a]showcqt=axisfile=⟦SECRET⇒a.png⟧" -f null -
R197 -i in.mp4 -c:v libx264 -x264-params ⟦cqmfile=SECRET⇒cqmfile=cqm⟧ -an -f null -
R198 -i in.mp4 -c:v libx265 -x265-params ⟦scaling-list=SECRET⇒scaling-list=list⟧ -an -f null -
R199 -i in.mp4 -c:v libaom-av1 -aom-params ⟦film-grain-table=SECRET⇒film-grain-table=grain⟧ -frames:v 1 -an -f null -
R200 -i in.mp4 -c copy -f hls ⟦-hls_key_info_file SECRET⇒-hls_time 2⇒-hls_key_info_file⟧ x.m3u8
R201 ⟦-use_absolute_path 1 -enable_drefs 1⇒-ignore_editlist 1⇒-use_absolute_path⟧ -i dref.mov -map 0:a -c copy -f data o.bin
R202 ⟦-hex⇒-re⟧ -f data -i in.bin -map 0 -c copy -f null -
`
