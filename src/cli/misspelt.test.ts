import { describe, expect, it } from 'vitest';
import { VARIABLES } from '../config/variables.ts';
import { misspeltVariables } from './misspelt.ts';

describe('a variable that is not known', () => {
  it.each([
    ['PROT', 'PORT'],
    ['PRT', 'PORT'],
    ['HSOT', 'HOST'],
    ['DATADIR', 'DATA_DIR'],
    ['DATABASE_URI', 'DATABASE_URL'],
    ['LOGLEVEL', 'LOG_LEVEL'],
    ['SPI_PORT', 'SIP_PORT'],
    ['RTP_PORT', 'RTP_PORTS'],
    ['ACCES_TOKNE', 'ACCESS_TOKEN'],
    ['DIALTREE_TOKENS', 'DIALTREE_TOKEN'],
  ])('%s is taken for %s', (name, meant) => {
    expect(misspeltVariables({ [name]: 'a secret' })).toEqual([
      `${name} is no variable of Dialtree. Did you mean ${meant}?`,
    ]);
  });

  it('is passed over where it is empty, as a known one would be', () => {
    expect(misspeltVariables({ PROT: ' ', HSOT: undefined })).toEqual([]);
  });

  it.each([
    'PATH HOME USER SHELL TERM LANG LC_ALL PWD OLDPWD SHLVL LOGNAME MAIL TZ EDITOR PAGER DISPLAY COLORTERM',
    'HOSTNAME HOSTS HOSTTYPE NODE_ENV NODE_OPTIONS NODE_PATH NODE_IP npm_config_port prot DEBUG CI NO_COLOR',
    'KUBERNETES_PORT KUBERNETES_SERVICE_HOST REDIS_PORT APP_PORT API_PORT HTTP_PORT WEB_PORT APP_HOST API_HOST',
    'DB_HOST DB_URL REDIS_URL APP_URL API_URL API_KEY TLS_KEY TLS_CERT SMTP_HOST SMTP_PORT SMTP_USER SMTP_FROM',
    'AWS_REGION AWS_ACCESS_KEY_ID AWS_SECRET_ACCESS_KEY OTEL_TRACES_SAMPLER OTEL_EXPORTER_OTLP_PROTOCOL',
    'IP VIP ZIP MODE POST SORT COST LESS LS_COLORS MEMORY_LIMIT CONTAINER PGHOST PGPORT INVOCATION_ID',
  ])('is passed over where environments have it for others: %s', (names) => {
    expect(misspeltVariables(Object.fromEntries(names.split(' ').map((name) => [name, '1'])))).toEqual([]);
  });

  it('is none of the known ones, and none that is long enough to cost time', () => {
    expect(misspeltVariables(Object.fromEntries(Object.keys(VARIABLES).map((name) => [name, '1'])))).toEqual(
      [],
    );
    expect(misspeltVariables({ [`PORT${'X'.repeat(100_000)}`]: '1' })).toEqual([]);
  });
});
