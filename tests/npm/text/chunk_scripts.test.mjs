// The boundaries of chunks in scripts other than Latin. Independent answers: texts written as lists of their parts, the
// examples of UAX #29, and the grapheme clusters of Intl.Segmenter.
import fc from 'fast-check';
import { chunkText } from 'quintet';
import { run } from '../helpers/program.mjs';

const characters = (text) => [...text].length;
const texts = (text, maxTokens, overlap) =>
  chunkText(text, { maxTokens, overlap, countTokens: characters }).map((chunk) => chunk.text);

describe('the ends of sentences', () => {
  // Two of the sentences fit into a chunk, and three do not.
  test.each([
    ['Latin', ' ', ['It is fine today.', 'We walk outside!', 'Is that a cat?', 'It is very cute.']],
    [
      'Cyrillic, with quotation marks',
      ' ',
      ['«Сегодня тепло.»', '«Мы идём в парк.»', '«Там есть кошка.»', '«Она хорошая.»'],
    ],
    [
      'German, with quotation marks',
      ' ',
      ['„Heute ist es schön.“', '»Wir gehen hinaus!«', '„Ist das eine Katze?“', '(Sie ist niedlich.)'],
    ],
    ['Hindi', ' ', ['आज मौसम अच्छा है।', 'हम पार्क में चलते हैं।', 'वहाँ एक बिल्ली है।', 'वह बहुत प्यारी है।']],
    ['Sanskrit, double danda', ' ', ['धर्मक्षेत्रे कुरुक्षेत्रे॥', 'समवेता युयुत्सवः॥', 'मामकाः पाण्डवाश्चैव॥', 'किमकुर्वत सञ्जय॥']],
    ['Arabic', ' ', ['كيف حالك اليوم؟', 'هل ذهبت إلى هناك؟', 'هل رأيت القطة؟', 'هل أطعمتها اليوم؟']],
    ['Urdu', ' ', ['آج موسم اچھا ہے۔', 'ہم پارک میں ہیں۔', 'وہاں ایک بلی ہے۔', 'وہ بہت پیاری ہے۔']],
    ['Armenian', ' ', ['Այսօր եղանակը լավ է։', 'Մենք այգում ենք։', 'Այնտեղ կատու կա։', 'Նա շատ սիրուն է։']],
    ['Ethiopic', ' ', ['ዛሬ አየሩ ጥሩ ነው።', 'በመናፈሻ እንራመዳለን።', 'እዚያ ድመት አለ።', 'እሷ ቆንጆ ናት።']],
    ['Burmese', '', ['ရာသီဥတုကောင်းတယ်။', 'လမ်းလျှောက်တယ်။', 'ကြောင်ရှိတယ်။', 'ချစ်စရာကောင်းတယ်။']],
    ['Khmer', ' ', ['អាកាសធាតុល្អ។', 'យើងដើរលេង។', 'មានឆ្មាមួយ។', 'វាគួរឱ្យស្រលាញ់។']],
    ['Chinese', '', ['今天天气很好。', '你去公园吗？', '路上有一只猫！', '猫很可爱。']],
    ['Chinese, marks of half width', '', ['今天天气很好｡', '你去公园吗?', '路上有一只猫!', '猫很可爱｡']],
    [
      'Chinese, full width dots',
      '',
      ['圆周率是３．１４１５．', '我们去公园散步．', '路上有一只小猫．', '猫真的很可爱．'],
    ],
    ['Chinese, quotation marks', '', ['他说：“天气好。”', '她问：“去公园吗？”', '“那里有猫！”', '（猫很可爱。）']],
    [
      'Japanese, brackets',
      '',
      ['「今日は天気がいい。」', '「公園を散歩した。」', '『猫に会った。』', '（魚をあげた！？）'],
    ],
  ])('%s', (_, between, sentences) => {
    const [first, second, third, fourth] = sentences;
    const most = Math.max(characters(first + between + second), characters(third + between + fourth));
    expect(texts(sentences.join(between), most)).toEqual([first + between + second, third + between + fourth]);
  });

  // Each chunk has room for less than two of them.
  test.each([
    ['variation selectors of emoji', ['One two three four‼️ ', 'Five six seven eight⁉️ ']],
    ['variation selectors of Han', ['一二三四五六。\ufe00', '七八九十一二。\ufe00']],
    ['combining marks', ['One two three four.\u0301 ', 'Five six seven eight.\u0301 ']],
    ['zero width spaces', ['One two three four!\u200b ', 'Five six seven eight!\u200b ']],
    ['word joiners', ['One two three four!\u2060 ', 'Five six seven eight!\u2060 ']],
    ['marks of direction in Hebrew', ['אחת שתיים שלוש ארבע.\u200f ', 'חמש שש שבע שמונה.\u200f ']],
    ['marks of direction in Arabic', ['واحد اثنان ثلاثة أربعة؟\u200f ', 'خمسة ستة سبعة ثمانية؟\u200f ']],
    ['marks of direction, without a space', ['واحد اثنان ثلاثة أربعة؟\u200f', 'خمسة ستة سبعة ثمانية؟\u200f']],
    ['isolates that end', ['אחת \u2067שתיים שלוש ארבע.\u2069 ', 'חמש \u2067שש שבע שמונה.\u2069 ']],
    ['line feeds', ['One two three four\n', 'Five six seven eight\n']],
    ['line feeds and marks of direction', ['\u200fאחת שתיים שלוש ארבע\n', '\u200fחמש שש שבע שמונה\n']],
    ['carriage returns', ['One two three four\r', 'Five six seven eight\r']],
    ['CR LF', ['One two three four\r\n', 'Five six seven eight\r\n']],
    ['next lines', ['One two three four\u0085', 'Five six seven eight\u0085']],
    ['line separators', ['One two three four\u2028', 'Five six seven eight\u2028']],
    ['paragraph separators', ['One two three four\u2029', 'Five six seven eight\u2029']],
  ])('before %s are those of Intl.Segmenter', (_, sentences) => {
    const text = sentences.join('').repeat(6);
    const expected = Array.from(new Intl.Segmenter('und', { granularity: 'sentence' }).segment(text), (s) => s.index);
    expect(expected).toHaveLength(12);
    const maxTokens = Math.floor(1.7 * characters(sentences[0]));
    const chunks = chunkText(text, { maxTokens, countTokens: characters });
    expect(chunks.map(({ start }) => start)).toEqual(expected);
  });

  test.each([
    ['a number', 'Pi is about 3.14159 and so on for ever', 16],
    ['an abbreviation', 'Use a unit, e.g.meters or feet or so', 16],
    ['an address', 'See example.org/?q=what!now for all of it', 24],
  ])('not within %s', (_, text, maxTokens) => {
    for (const chunk of texts(text, maxTokens)) expect(` ${text} `).toContain(` ${chunk} `);
  });

  test('after a mark and white space', () => {
    expect(texts('Wait…   What?!\tYes', 10)).toEqual(['Wait…', 'What?!\tYes']);
  });
});

describe('between words', () => {
  test('of a script without spaces, although there is one near the beginning', () => {
    expect(texts('第一 人工智能正在改变我们的生活方式', 10)).toEqual(['第一 人工智能正在改', '变我们的生活方式']);
  });
  test('and not before closing punctuation, nor after opening punctuation', () => {
    expect(texts('我们去公园散步了，路上', 8)).toEqual(['我们去公园散步', '了，路上']);
    expect(texts('我们去公园散步（昨天）', 8)).toEqual(['我们去公园散步', '（昨天）']);
  });
  test('of Latin in Chinese', () => {
    expect(texts('我们使用WebAssembly编译', 8)).toEqual(['我们使用', 'WebAssem', 'bly编译']);
  });
  test('at zero width spaces, and after the marks between syllables of Tibetan', () => {
    expect(texts('hello\u200bworld', 8)).toEqual(['hello\u200b', 'world']);
    expect(texts('བོད་སྐད་ཡིག', 9)).toEqual(['བོད་སྐད་', 'ཡིག']);
  });
});

describe('overlap', () => {
  const repeated = (text, maxTokens, overlap) => {
    const chunks = chunkText(text, { maxTokens, overlap, countTokens: characters });
    return chunks.slice(1).map(({ start }, i) => text.slice(start, chunks[i].end));
  };

  test.each([
    ['Chinese', '今天天气很好。我们去公园散步。路上遇到一只猫。猫很可爱。我们给它喂了鱼。', 16, 8],
    ['Japanese', '今日は天気がいい。公園を散歩した。猫に会った。魚をあげた。家に帰った。', 20, 10],
    ['Chinese without a full stop', '人工智能正在改变我们的生活方式和工作方式以及学习方式', 10, 4],
    ['Thai', 'ภาษาไทยเป็นภาษาที่มีระดับเสียงของคำแน่นอนหรือวรรณยุกต์', 16, 6],
    ['Lao', 'ພາສາລາວແມ່ນພາສາທາງການຂອງປະເທດລາວ', 12, 5],
    ['Khmer', 'ភាសាខ្មែរជាភាសាផ្លូវការរបស់ព្រះរាជាណាចក្រកម្ពុជា', 16, 6],
    ['Burmese', 'မြန်မာဘာသာစကားသည်မြန်မာနိုင်ငံ၏ရုံးသုံးဘာသာစကားဖြစ်သည်', 16, 8],
    ['an address', `https://example.org/${'abcdefghij/'.repeat(6)}`, 30, 10],
    ['emoji', '😀😃😄😁😆😅😂🤣😊😇🙂🙃', 5, 2],
    ['English', 'It is fine today. We walk in the park. There is a cat. It is cute. We feed it.', 40, 20],
  ])('in %s', (_, text, maxTokens, overlap) => {
    const parts = repeated(text, maxTokens, overlap);
    expect(parts.length).toBeGreaterThan(0);
    for (const part of parts) {
      expect(characters(part)).toBeGreaterThan(overlap / 3);
      expect(characters(part)).toBeLessThanOrEqual(overlap);
    }
  });

  test('begins with a sentence if one begins in its first half', () => {
    expect(repeated('今天天气很好。我们去公园。路上遇到一只猫。', 14, 8)).toEqual(['我们去公园。']);
    expect(repeated('Some long words here. It is fine. We walk there.', 34, 16)).toEqual(['It is fine.']);
  });
  test('does not begin within a word', () => {
    expect(texts('considerable responsibility', 14, 5)).toEqual(['considerable', 'responsibility']);
  });
  test('is left out before a word that would not fit with it', () => {
    expect(texts('one two responsibility', 15, 5)).toEqual(['one two', 'responsibility']);
  });
});

describe('grapheme clusters', () => {
  const startsOf = (text) => new Set(Array.from(new Intl.Segmenter('und').segment(text), ({ index }) => index));

  test.each([
    ['emoji that are joined', '👩‍👩‍👧‍👦'.repeat(4), 8],
    ['emoji with skin tones', '👍🏽👋🏿🤝🏻'.repeat(4), 5],
    ['flags', '🇩🇪🇫🇷🇯🇵🇧🇷', 3],
    ['letters with combining marks', 'e\u0301o\u0308'.repeat(8), 5],
    ['Thai', 'สวัสดีชาวโลกภาษาไทยไม่มีช่องว่างระหว่างคำน้ำ', 5],
    ['Hindi, conjuncts', 'प्रौद्योगिकीविश्वविद्यालयक्षत्रिय', 6],
    ['Hangul of jamo', '각'.normalize('NFD').repeat(8), 7],
    ['Khmer, coengs', 'ព្រះរាជាណាចក្រកម្ពុជាខ្មែរ', 6],
    ['keycaps', '1️⃣2️⃣3️⃣4️⃣', 5],
    ['variation selectors of ideographs', '葛\u{e0100}城'.repeat(5), 4],
    ['skin tones after ideographs', 'ꀀ🏻漢🏽か🏿'.repeat(4), 5],
    ['signs of Arabic before what they contain', '漢\u06dd字\u0600漢\u08e2字'.repeat(4), 5],
    ['signs of other scripts before what they contain', '漢\u070f字\u0d4e漢\u{110bd}字'.repeat(4), 5],
    ['spaces with marks', 'see \u0301x y \ufe0fz \u200d कि \u093f漢 \u0e33'.repeat(4), 5],
  ])('%s are not torn', (_, text, maxTokens) => {
    const starts = startsOf(text);
    for (const overlap of [0, 1, 2]) {
      const chunks = chunkText(text, { maxTokens, overlap, countTokens: characters });
      expect(chunks.length).toBeGreaterThan(1);
      for (const { start, end } of chunks)
        expect([starts.has(start), end === text.length || starts.has(end)]).toEqual([true, true]);
    }
  });

  test('white space before a mark is not white space around a chunk', () => {
    expect(texts('see \u0301x y', 5)).toEqual(['see \u0301', 'x y']);
    expect(texts('  \u0301x', 5)).toEqual([' \u0301x']);
    expect(texts('abcd  \u0301x', 4)).toEqual(['abcd', ' \u0301x']);
    expect(texts('a\n\n\u0301x', 2)).toEqual(['a', '\u0301x']);
    expect(texts('a \u0301\u0301b', 1)).toEqual(['a', '\u0301', '\u0301', 'b']);
  });

  test('one that does not fit is split between code points', () => {
    const zalgo = `e${'\u0301'.repeat(25)}`;
    expect(texts(`a${zalgo}b`, 10).map(characters)).toEqual([1, 10, 10, 7]);
    expect(texts('👩‍👩‍👧‍👦', 1)).toEqual(['👩', '\u200d', '👩', '\u200d', '👧', '\u200d', '👦']);
  });

  test('without Intl.Segmenter, as in Firefox before 125, characters are not torn', async () => {
    const chunks = await run(`
      delete Intl.Segmenter;
      const { chunkText } = await import('quintet');
      const chunks = chunkText('👍🏽👋🏿🤝🏻', { maxTokens: 3, countTokens: (text) => text.length });
      console.log(JSON.stringify(chunks.map(({ text }) => text)));`);
    expect(chunks).toEqual([...'👍🏽👋🏿🤝🏻']);
  });

  test('of any text are not torn if each of them fits', () => {
    const cluster = fc.oneof(
      fc.string({ unit: 'grapheme', minLength: 1, maxLength: 3 }),
      fc.constantFrom(
        ' ',
        '。',
        '. ',
        '\n\n',
        '\r\n',
        '」',
        '「',
        '🇩🇪',
        '👨‍👩‍👧',
        'ก็',
        'क्षि',
        '각',
        'น้ำ',
        '１．',
        '\u0301',
        '\u06dd',
        '🏽',
      ),
    );
    const property = fc.property(fc.array(cluster, { maxLength: 60 }), fc.nat(6), (clusters, overlap) => {
      const text = clusters.join('');
      const starts = startsOf(text);
      const longest = Math.max(
        1,
        ...Array.from(new Intl.Segmenter('und').segment(text), ({ segment }) => characters(segment)),
      );
      const chunks = chunkText(text, { maxTokens: longest + overlap + 1, overlap, countTokens: characters });
      // White space after a chunk is left out, although it may belong to a sign before it (GB9b).
      const isEnd = (end) => end === text.length || starts.has(end) || /\s/.test(text[end]);
      for (const { start, end } of chunks) expect([starts.has(start), isEnd(end)]).toEqual([true, true]);
    });
    fc.assert(property, { numRuns: 500 });
  });
});
