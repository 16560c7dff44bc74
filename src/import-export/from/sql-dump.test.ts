import { expect, test } from 'vitest';
import { workOf } from '../../../test/support/work.ts';
import { CsvTable } from './csv-table.ts';
import { ForeignFileError } from './foreign-account.ts';
import { SqlDump } from './sql-dump.ts';

const DUMP = `-- MySQL dump 10.13; it's a comment
/*!40101 SET NAMES utf8 */;
DROP TABLE IF EXISTS \`users\`;
CREATE TABLE \`users\` (
  \`extension\` varchar(20) NOT NULL DEFAULT '',
  \`name\` varchar(50) DEFAULT 'a,(b)',
  \`note\` int(11),
  PRIMARY KEY (\`extension\`),
  KEY \`other\` (\`name\`)
) ENGINE=InnoDB DEFAULT CHARSET=utf8;
LOCK TABLES \`users\` WRITE;
INSERT INTO \`users\` VALUES ('1001','O\\'Neil; \\"x\\" \\\\ (y), z',NULL),('1002','it''s\\nme',-5);
INSERT INTO \`users\` (\`name\`, \`extension\`) VALUES (_binary 'Bin','1003');
INSERT INTO \`cdr\` VALUES ('ignored (;'),(1);
UNLOCK TABLES;
-- Dump completed
`;
const EXPECTED = [
  { extension: '1001', name: 'O\'Neil; "x" \\ (y), z', note: '' },
  { extension: '1002', name: "it's\nme", note: '-5' },
  { extension: '1003', name: 'Bin' },
];
const rowsOf = (text: string, pieces = text.length) => {
  const dump = new SqlDump(['users']);
  for (let from = 0; from < text.length; from += pieces) dump.feed(text.slice(from, from + pieces));
  return dump.end().get('users');
};

test('rows are read by the columns of the table, or of the INSERT, with quotes and escapes', () => {
  expect(rowsOf(DUMP)).toEqual(EXPECTED);
});

test('it does not matter where the pieces of the file are cut', () => {
  for (const pieces of [1, 2, 3, 7, 64]) expect(rowsOf(DUMP, pieces)).toEqual(EXPECTED);
});

const attempt = (text: string): readonly object[] | Error => {
  try {
    return rowsOf(text, 50) ?? [];
  } catch (error) {
    return error as Error;
  }
};

test('a dump that is cut off anywhere is refused, or has whole rows alone', () => {
  for (let end = 0; end < DUMP.length; end++) {
    const outcome = attempt(DUMP.slice(0, end));
    if (outcome instanceof Error) expect(outcome).toBeInstanceOf(ForeignFileError);
    else for (const row of outcome) expect(EXPECTED).toContainEqual(row);
  }
});

test.each([
  ['no statement', 'hello world'],
  ['rows without columns', "INSERT INTO `users` VALUES ('1');"],
  ['more values than columns', 'CREATE TABLE `users` (`a` int);INSERT INTO `users` VALUES (1,2);'],
  ['a row that does not end', 'CREATE TABLE `users` (`a` int);INSERT INTO `users` VALUES (1;'],
  ['quotes that do not end', "CREATE TABLE `users` (`a` int);INSERT INTO `users` VALUES ('1);"],
  ['a comment that does not end', 'CREATE TABLE `users` (`a` int); /* '],
])('a dump with %s is refused', (_, text) => {
  expect(() => rowsOf(text)).toThrow(ForeignFileError);
});

test('a large dump with long values is read in work that grows with its length, and keeps little', async () => {
  const value = `'${'\\\\*/--('.repeat(20_000)}'`;
  const other = (rows: number): string => `INSERT INTO \`cdr\` VALUES (${value});\n`.repeat(rows);
  const dump = (others: number): string =>
    `${DUMP}${other(others)}INSERT INTO \`users\` VALUES ('1004',${value},1);`;
  const rows = rowsOf(dump(1), 65_536) ?? [];
  expect(rows).toHaveLength(4);
  expect(rows[3]?.['name']).toHaveLength(64 * 1024);
  const [few = 0, many = 0] = await workOf<typeof import('./sql-dump.ts')>(
    new URL('./sql-dump.ts', import.meta.url),
    [2, 29].map((others) => (module) => {
      const dumped = new module.SqlDump(['users']);
      const text = dump(others);
      for (let at = 0; at < text.length; at += 65_536) dumped.feed(text.slice(at, at + 65_536));
      expect(dumped.end().get('users')).toHaveLength(4);
    }),
  );
  expect(few).toBeGreaterThan(100_000);
  expect(many / few).toBeLessThan(15);
});

test('more rows than there may be are refused', () => {
  const dump = new SqlDump(['users']);
  dump.feed('CREATE TABLE `users` (`a` int);INSERT INTO `users` VALUES (1)');
  expect(() => {
    for (let pieces = 0; pieces < 300; pieces++) dump.feed(',(1)'.repeat(1_000));
  }).toThrow('more than 200000 rows');
});

const csv = (text: string, pieces = text.length) => {
  const table = new CsvTable('users.csv');
  for (let from = 0; from < text.length; from += pieces) table.feed(text.slice(from, from + pieces));
  return table.end();
};

test('CSV has quotes, line ends within them, and any of three separators', () => {
  const text = '\uFEFFextension,name\r\n1001,"O""Neil, ""x""\nsecond"\r\n\r\n1002,\n1003';
  const rows = [
    { extension: '1001', name: 'O"Neil, "x"\nsecond' },
    { extension: '1002', name: '' },
    { extension: '1003' },
  ];
  for (const pieces of [1, 3, 100]) expect(csv(text, pieces)).toEqual(rows);
  expect(csv('a;b\n1,2;3')).toEqual([{ a: '1,2', b: '3' }]);
  expect(csv('a\tb\n1\t2')).toEqual([{ a: '1', b: '2' }]);
});

test.each([
  ['nothing', ''],
  ['quotes that do not end', 'a,b\n1,"2'],
  ['more cells than columns', 'a,b\n1,2,3'],
  ['too many columns', `${'a,'.repeat(1_001)}\n`],
])('CSV with %s is refused', (_, text) => {
  expect(() => csv(text)).toThrow(ForeignFileError);
});

test('rows that are too large together are refused, long before the rows are too many', () => {
  const dump = new SqlDump(['users']);
  dump.feed('CREATE TABLE `users` (`name` text);INSERT INTO `users` VALUES ');
  const row = `('${'x'.repeat(60_000)}'),`;
  const feed = (): void => {
    for (let rows = 0; rows < 1_200; rows++) dump.feed(row);
  };
  expect(feed).toThrow(new ForeignFileError('The rows are larger than 64 MiB together.'));
});
