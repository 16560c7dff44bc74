// Files of other systems, of our own making in their formats.

/** A flow of Twilio Studio with a widget that cannot be taken over. */
export const FLOW = {
  description: 'Shop',
  initial_state: 'Trigger',
  states: [
    {
      name: 'Trigger',
      type: 'trigger',
      properties: {},
      transitions: [{ event: 'incomingCall', next: 'menu' }],
    },
    {
      name: 'menu',
      type: 'gather-input-on-call',
      properties: { say: 'Press 1 or 2', timeout: 5 },
      transitions: [
        { event: 'keypress', next: 'which' },
        { event: 'timeout', next: 'menu' },
      ],
    },
    {
      name: 'which',
      type: 'split-based-on',
      properties: { input: '{{widgets.menu.Digits}}' },
      transitions: [
        { event: 'noMatch', next: 'menu' },
        { event: 'match', next: 'box', conditions: [{ type: 'equal_to', value: '1', arguments: [] }] },
        { event: 'match', next: 'look_up', conditions: [{ type: 'equal_to', value: '2', arguments: [] }] },
      ],
    },
    {
      name: 'look_up',
      type: 'make-http-request',
      properties: { method: 'GET', url: 'https://example.com/callers/{{trigger.call.From}}' },
      transitions: [{ event: 'success', next: 'decide' }],
    },
    {
      name: 'decide',
      type: 'split-based-on',
      properties: { input: '{{widgets.look_up.parsed.tier}}' },
      transitions: [
        { event: 'noMatch', next: 'pay' },
        { event: 'match', next: 'box', conditions: [{ type: 'equal_to', value: 'gold', arguments: [] }] },
      ],
    },
    {
      name: 'pay',
      type: 'capture-payments',
      properties: {},
      transitions: [{ event: 'success', next: 'box' }],
    },
    { name: 'box', type: 'record-voicemail', properties: {}, transitions: [] },
  ],
};

/** A dump of FreePBX's database. */
export const DUMP = `-- MySQL dump
CREATE TABLE \`users\` (\`extension\` varchar(20), \`name\` varchar(50), \`voicemail\` varchar(50));
INSERT INTO \`users\` VALUES ('2001','Asha','novm'),('2002','D\\'Arcy','default');
CREATE TABLE \`ringgroups\` (\`grpnum\` varchar(20), \`strategy\` varchar(50), \`grptime\` int(11), \`grplist\` varchar(255), \`postdest\` varchar(255), \`description\` varchar(35));
INSERT INTO \`ringgroups\` VALUES ('600','ringall',20,'2001-2002','ext-local,vmu2002,1','Front desk');
CREATE TABLE \`incoming\` (\`cidnum\` varchar(20), \`extension\` varchar(50), \`destination\` varchar(50), \`description\` varchar(50));
INSERT INTO \`incoming\` VALUES ('','4930555200','ext-group,600,1','Main'),('','','ext-fax,1,1','any');
-- Dump completed
`;

/** A folder of exported tables. */
export const CSV_FILES: Readonly<Record<string, string>> = {
  'Extensions.csv': 'extension,name,voicemail\n3001,"Chen, Li",novm\n',
  'queues_config.csv': 'extension,descr,dest\n700,Help,\n',
  'queues_details.csv': 'id,keyword,data\n700,member,"Local/3001@from-queue/n,0"\n',
  'notes.txt': 'ignored',
};
