// Search by words: order of results, forms of words, scripts.
import { page, section, urls, withSite } from './small_site.mjs';

const answers = (pages, text, options) => withSite(pages, (site) => urls(site, text), options);

const filler = Array.from({ length: 20 }, (_, i) =>
  page(`filler${i}.html`, `Filler ${i}`, `Nothing of interest, part ${i}.`),
);

describe('ranking', () => {
  const pages = [
    page(
      'mention.html',
      'Overview',
      'Among other things there is replication, which is explained elsewhere. '.repeat(3),
    ),
    page('title.html', 'Replication', 'Copies of a server follow it.'),
    page('often.html', 'Standby servers', 'Replication sends data. Replication needs a network. Replication lags.'),
    ...filler,
  ];

  test('a title that is the word comes first, then pages about nothing else', async () => {
    expect(await answers(pages, 'replication')).toEqual(['title.html', 'often.html', 'mention.html']);
  });

  test('a page with all words comes before one that repeats a word', async () => {
    const two = [
      page('both.html', 'A', 'A backup is restored in the morning.'),
      page('one.html', 'B', 'Backup, backup and backup, backup: backup.'),
      ...filler,
    ];
    expect((await answers(two, 'restored backup'))[0]).toBe('both.html');
  });

  test('adjacent words come before the same words apart', async () => {
    const text = 'A write may be ahead of its time, and a log of it is of no use to anyone.';
    const apart = page('apart.html', 'A', text);
    const phrase = page('phrase.html', 'B', 'The write ahead log is a file. It may be of use to anyone, in time.');
    expect((await answers([apart, phrase, ...filler], 'write ahead log'))[0]).toBe('phrase.html');
    expect((await answers([phrase, apart, ...filler], 'write ahead log'))[0]).toBe('phrase.html');
  });

  test('a result names the section that answers, and the page once', async () => {
    const guide = page('guide.html', 'Guide', '', {
      sections: [
        section('', '', 'Welcome.'),
        section('install', 'Installing', 'Unpack the archive.'),
        section('remove', 'Removing', 'Delete the folder. The archive may be deleted, too.'),
      ],
    });
    await withSite([guide, ...filler], async (site) => {
      const hits = await site.search('archive');
      expect(hits).toHaveLength(1);
      expect(hits[0]).toMatchObject({ url: 'guide.html', title: 'Guide' });
      expect(hits[0].sections.map(({ anchor }) => anchor)).toEqual(['install', 'remove']);
      expect(hits[0].sections[0].title).toBe('Installing');
    });
  });

  test('passages that count more move a page up', async () => {
    const weighted = (url, weight) =>
      page(url, url, '', {
        sections: [
          { anchor: '', title: '', trail: [], passages: [{ text: 'A lock is held by one.', isCode: false, weight }] },
        ],
      });
    expect(await answers([weighted('a.html', 0.25), weighted('b.html', 4), ...filler], 'lock')).toEqual([
      'b.html',
      'a.html',
    ]);
  });
});

describe('forms of words', () => {
  const found = [
    ['an ending', 'connections are pooled', 'connection pool', 'en'],
    ['the other case', 'the HTTP server', 'http SERVER', 'en'],
    ['an accent less', 'Über den Änderungen', 'anderungen', 'de'],
    ['an accent more', 'the cafe menu', 'café', 'en'],
    ['an ending in French', 'les fichiers compressés', 'fichier compressé', 'fr'],
    ['an ending in Russian', 'настройка серверов', 'сервера', 'ru'],
    ['a soft hyphen in the text', 'a data\u00adbase server', 'database', 'en'],
    ['a joiner in the query', 'می‌خواهم', 'می\u200cخواهم', 'fa'],
    ['vowel signs in Arabic', 'كَتَبَ الدرس', 'كتب', 'ar'],
    ['digits of another script', 'الفصل ١٢', '12', 'ar'],
    ['full width letters', 'ＡＰＩ の使い方', 'api', 'ja'],
    ['Japanese', '東京都の天気予報です', '天気', 'ja'],
    ['Chinese', '数据库连接池的配置方法', '连接池', 'zh'],
    ['Korean with an ending', '데이터베이스를 설정합니다', '데이터베이스', 'ko'],
    ['Korean with another ending', '서버에서 시작합니다', '서버를', 'ko'],
    ['Thai inside of a sentence', 'การติดตั้งเซิร์ฟเวอร์บนเครื่อง', 'เซิร์ฟเวอร์', 'th'],
    ['a name whole', 'Set max_connections before starting.', 'max_connections', 'en'],
    ['a name by a part', 'Set max_connections before starting.', 'connections', 'en'],
    ['a name in camel case by a part', 'Call parseDocument first.', 'document', 'en'],
    ['a name in camel case, all small', 'Call parseDocument first.', 'parsedocument', 'en'],
    ['a name with dots', 'It calls os.path.join twice.', 'os.path.join', 'en'],
    ['an option', 'Run it with --no-verify now.', '--no-verify', 'en'],
    ['an error code', 'The error 42P01 means that.', '42p01', 'en'],
    ['a hyphen more', 'email is sent', 'e-mail', 'en'],
    ['the beginning of a word', 'authentication of users', 'authen', 'en'],
    ['two typed letters', 'zebras run', 'ze', 'en'],
    ['a letter too many', 'the replication lag', 'replicattion', 'en'],
    ['a letter missing', 'the replication lag', 'replcation', 'en'],
    ['two letters exchanged', 'the replication lag', 'repliaction', 'en'],
    ['another first letter', 'the replication lag', 'teplication', 'en'],
    ['two edits', 'the replication lag', 'replecatoin', 'en'],
    ['a typo before another word', 'vacuum of tables', 'vacuun tables', 'en'],
  ];
  test.each(found)('%s', async (_, text, query, lang) => {
    const pages = [page('it.html', 'X', text, { lang }), ...filler.map((each) => ({ ...each, lang }))];
    expect(await answers(pages, query, { lang })).toContain('it.html');
  });

  const missed = [
    ['another word', 'the replication lag', 'restoration', 'en'],
    ['a typo in a short word', 'a cat', 'cut ', 'en'],
    ['the end of a word', 'authentication', 'tication ', 'en'],
    ['nothing', 'a text', '', 'en'],
    ['signs only', 'a text', '?! …', 'en'],
  ];
  test.each(missed)('not %s', async (_, text, query, lang) => {
    expect(await answers([page('it.html', 'X', text, { lang }), ...filler], query, { lang })).not.toContain('it.html');
  });

  test('a name comes before its separate words', async () => {
    const pages = [
      page(
        'words.html',
        'A',
        'There is a max of connections. The max is for all connections, at most max connections.',
      ),
      page('name.html', 'B', 'The setting max_connections is read at the start. It may not be changed later on.'),
      ...filler,
    ];
    expect((await answers(pages, 'max_connections'))[0]).toBe('name.html');
  });
});

describe('languages', () => {
  const pages = [
    page('en/a.html', 'Word', 'A word of English.', { lang: 'en' }),
    page('en/b.html', 'Other', 'Other words.', { lang: 'en' }),
    page('de/a.html', 'Wort', 'Ein Wort, auch word.', { lang: 'de' }),
  ];
  test.each([
    ['de', ['de/a.html']],
    ['de-AT', ['de/a.html']],
    ['EN', ['en/a.html', 'en/b.html']],
    ['fr', ['en/a.html', 'en/b.html']],
    [undefined, ['en/a.html', 'en/b.html']],
  ])('%s', async (lang, expected) => expect((await answers(pages, 'word', { lang })).sort()).toEqual(expected));
});

test('a site without pages has no results', async () => {
  expect(await answers([], 'word')).toEqual([]);
});
