// The variables of the environment. config.ts reads them.

export const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const;

/** By name: what stands for a missing value, and the meaning. A test compares docs/configuration.md with this table. */
export const VARIABLES = {
  PORT: ['8080', 'port of the HTTP API; 0 lets the system choose'],
  HOST: ['127.0.0.1', 'address to listen on; 0.0.0.0 or :: opens it to others'],
  DATA_DIR: ['./data', 'folder of the embedded database, recordings and the first token'],
  DATABASE_URL: ['', 'postgres://… uses PostgreSQL instead of the embedded database'],
  NODE_ID: [
    '',
    'name of this process among the nodes of one database, up to 40 of a-z, 0-9 and -; empty makes one in DATA_DIR',
  ],
  NODE_URL: [
    '',
    'where the other nodes reach the HTTP of this one, such as http://10.0.0.5:8080; empty is made of HOST and PORT',
  ],
  CLUSTER: [
    'auto',
    'auto | on | off: whether several nodes share the database; auto is on with PostgreSQL; off with it allows one node alone',
  ],
  RESERVE_MB: [
    'auto',
    'free space in MB below which calls and voicemail are no longer recorded, 0 to 1000000; auto is 256, or 5 % of a smaller disk',
  ],
  SOUND_STORE: [
    '',
    'where recorded calls and voicemail messages go: a folder that the nodes share, or s3://bucket/prefix; empty is DATA_DIR of each node',
  ],
  S3_ENDPOINT: [
    '',
    'address of the S3-compatible server, such as https://s3.example.com; empty is that of AWS',
  ],
  S3_REGION: ['us-east-1', 'region of the bucket'],
  S3_ACCESS_KEY_ID: ['', 'access key of the bucket'],
  S3_SECRET_ACCESS_KEY: ['', 'secret of the access key'],
  ACCESS_TOKEN: ['', 'a token of your own instead of a made one, 16 to 256 characters'],
  DEMO: ['on', 'on | off: demonstration data at the first start'],
  LOG_LEVEL: ['info', LOG_LEVELS.join(' | ')],
  DRAIN_SECONDS: ['30', 'longest wait for running requests and calls after SIGTERM, 0 to 3600'],
  RATE_LIMIT: ['1000', 'requests per second and token, 0 to 1000000; 0 is no limit'],
  RATE_LIMIT_LOOPBACK: ['on', 'on | off: whether callers on this machine are limited too'],
  TRUSTED_PROXIES: [
    '',
    'networks of reverse proxies whose X-Forwarded-For says who asks, such as 127.0.0.1; empty believes none',
  ],
  MAX_CONNECTIONS: ['10000', 'HTTP connections at once, 1 to 1000000'],
  SIP: ['on', 'on | off: off runs the API alone, without telephones'],
  SIP_HOST: ['127.0.0.1', 'address for SIP and sound; 0.0.0.0 or :: opens it to others'],
  SIP_PORT: ['5060', 'port of SIP over UDP and TCP; 0 lets the system choose'],
  SIP_TLS_PORT: ['', 'port of SIP over TLS, such as 5061; empty is off'],
  SIP_TLS_CERT: ['', 'file with the certificate chain for TLS, in PEM'],
  SIP_TLS_KEY: ['', 'file with the private key for TLS, in PEM'],
  SIP_EDGES: [
    '',
    'addresses and networks of SIP proxies in front of this service, such as 10.0.0.5: their second Via says who calls; empty is none',
  ],
  SIP_OUTBOUND_EDGE: ['', 'address:port of an edge that trunks without registration are called by'],
  SIP_ADDRESS_HOSTS: [
    '',
    'hosts that SIP addresses of flows may be at: names, *.example.com, addresses and networks, such as pbx.example.com,10.1.0.0/16; empty is none',
  ],
  SIP_DIGEST: [
    'md5',
    'md5 | both | sha256: what phones are challenged with, the same for all; both offers SHA-256 first, which some phones fail at',
  ],
  RTP_PORTS: ['20000-29999', 'UDP ports for sound, from-to, two for each side of a call; at least 4'],
  WEBRTC_PORT: [
    '30000',
    'UDP port for the sound of browser phones, all of them; 0 lets the system choose; off: no browser phones. Where another program has the default, any free one is taken',
  ],
  ICE_SERVERS: [
    '',
    'STUN and TURN servers for browser phones, with commas between them, such as stun:stun.example.org:3478,turn:turn.example.org:3478; empty is none',
  ],
  TURN_SECRET: [
    '',
    'secret that TURN servers share with this service (static-auth-secret of coturn), for credentials of twelve hours',
  ],
  METRICS_TOKEN: [
    '',
    'bearer token that GET /metrics asks for, at least 16 characters; empty: everybody may read it',
  ],
  ADVERTISED_ADDRESS: ['', 'IP address in Via, Contact and SDP, behind NAT or in a container'],
  MEDIA_WORKERS: ['0', 'threads for sound, 0 to 64; 0 chooses by the machine'],
  MEDIA_SOCKETS: ['auto', 'auto | syscalls | dgram: how sound is sent; auto takes the fastest that works'],
  MEDIA_PRIORITY: [
    'normal',
    'normal | realtime: realtime sends sound before all else, on a full machine (Linux, CAP_SYS_NICE)',
  ],
  MAX_CALLS: ['5000', 'calls at once, 1 to 100000; further ones get 503'],
  MAX_CALLS_PER_SECOND: ['2000', 'new calls per second, 0 to 100000; 0 is no limit'],
  RTP_TIMEOUT_SECONDS: ['30', 'a call that sends no sound for so long is ended, 5 to 3600'],
  SECRET_KEY: [
    '',
    '32 bytes in hex or base64 that seal trunk passwords, the same on every node; empty makes one in DATA_DIR',
  ],
  HEP_URL: [
    '',
    'udp://host:9060: a capture server (Homer) that gets a copy of every SIP message as HEPv3; empty is none',
  ],
  HEP_ID: ['2001', 'number of this node at the capture server, 0 to 999999999'],
  HEP_PASSWORD: ['', 'password of the capture server; empty sends none'],
  OTEL_EXPORTER_OTLP_ENDPOINT: [
    '',
    'http://collector:4318: an OpenTelemetry collector that gets traces of calls and API requests; empty is none',
  ],
  OTEL_EXPORTER_OTLP_HEADERS: ['', 'headers for the collector, such as authorization=Bearer%20abc'],
  OTEL_SERVICE_NAME: ['dialtree', 'name of the service in traces'],
  OTEL_TRACES_SAMPLER_ARG: ['1', 'the part of traces that is kept, 0 to 1'],
  OUTBOUND_ALLOW: [
    '',
    'networks that webhooks and URLs of recordings may reach although they are private, such as 10.1.0.0/16,::1',
  ],
  SOUND_COMMAND: [
    '',
    'program that makes WAV of sound files which are not decoded here, with its arguments, such as ffmpeg -i {input} -f wav pipe:1; empty refuses them',
  ],
  TTS_COMMAND: ['espeak-ng', 'program that speaks text, with the options of espeak-ng; off is none'],
  TTS_URL: [
    '',
    'HTTP service that speaks text instead, by the /v1/audio/speech convention, such as https://speech.example.com/v1/audio/speech',
  ],
  TTS_KEY: ['', 'sent to TTS_URL as a bearer token; empty sends none'],
  TTS_MODEL: ['tts-1', 'model that TTS_URL is asked for'],
  TTS_VOICE: ['', 'voice that TTS_URL is asked for; empty is the one of the text, such as en'],
  SMTP_URL: [
    '',
    'smtp://user:password@host:587 or smtps://…: the server that sends e-mail; empty sends none',
  ],
  PUBLIC_URL: [
    '',
    'where browsers find the console, such as https://phones.example.com: links in e-mail begin with it; empty writes none',
  ],
  OIDC_ISSUER: [
    '',
    'https://…: an OpenID Connect provider by which invited users sign in; empty is none. A private one needs OUTBOUND_ALLOW',
  ],
  OIDC_CLIENT_ID: ['', 'id of this service at the provider'],
  OIDC_CLIENT_SECRET: ['', 'secret of this service at the provider'],
  OIDC_NAME: ['OpenID Connect', 'what the sign-in page calls the provider'],
  MAIL_FROM: ['dialtree@localhost', 'the address that e-mail comes from'],
  MAIL_PER_MINUTE: ['60', 'e-mails per minute and account, 0 to 100000; 0 sends none'],
  MAIL_PER_DAY: ['1000', 'e-mails per day (UTC) and account, 0 to 10000000; 0 sends none'],
  SMS_URL: [
    '',
    'where SMS go: smpp://user:password@host:2775, smpps://… or https://:secret@host/path; empty is nowhere',
  ],
  SMS_SENDER: ['', 'who SMS are from: a number, or up to 11 letters and digits'],
  SMS_PER_MINUTE: ['60', 'SMS per minute and account, 0 to 100000; 0 sends none'],
  DIALTREE_URL: [
    '',
    'address of a running service that commands ask, such as https://phones.example.com; empty is this machine',
  ],
  DIALTREE_TOKEN: [
    '',
    'access token that commands use; empty is, on this machine alone, ACCESS_TOKEN or the first token',
  ],
} satisfies Record<string, readonly [fallback: string, meaning: string]>;
