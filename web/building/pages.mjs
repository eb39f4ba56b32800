// The pages of the demo, in the order of the navigation. Each has a file NAME.html, scripts in src/NAME/ and a style
// sheet. `code` is the source file that the page runs and shows (usage.mjs); `docs` are [file of the repository,
// title].

export const pages = [
  {
    name: 'index',
    title: 'Home',
    code: 'src/index/book_search.ts',
    docs: [
      ['README.md', 'Getting started'],
      ['docs/site-search.md', 'Search for a static site'],
      ['docs/models.md', 'Which models work'],
      ['docs/browsers.md', 'Browsers and Node versions'],
      ['docs/architecture.md', 'Architecture'],
    ],
  },
  {
    name: 'search',
    title: 'Search',
    tone: 5,
    card: [
      'Search by meaning',
      'Ask a textbook or your own notes, by meaning and by words, and order results with a reranker.',
    ],
    code: 'src/search/semantic_search.ts',
    docs: [
      ['docs/embedding.md', 'Embeddings and search'],
      ['docs/bulk-embedding.md', 'Embedding many texts'],
      ['docs/caching.md', 'Caching models'],
      ['docs/formats/weights.md', 'The .weights format'],
    ],
  },
  {
    name: 'chat',
    title: 'Chat',
    tone: 4,
    card: ['Chat', 'A conversation with Qwen, SmolLM or your own GGUF file: streamed, edited, branched and saved.'],
    code: 'src/chat/answering.ts',
    docs: [
      ['docs/chat.md', 'Conversations'],
      ['docs/generation.md', 'Text generation'],
      ['docs/kv-cache.md', 'The KV cache'],
      ['docs/models.md', 'Which models work'],
    ],
  },
  {
    name: 'documents',
    title: 'Documents',
    tone: 3,
    card: ['Chat with your files', 'Drop texts, Markdown or web pages. Every sentence of an answer cites its passage.'],
    code: 'src/documents/cited_answers.ts',
    docs: [
      ['docs/embedding.md', 'Embeddings and search'],
      ['docs/chat.md', 'Conversations'],
      ['docs/structured_output.md', 'Structured output'],
    ],
  },
  {
    name: 'labels',
    title: 'Labels',
    tone: 1,
    card: [
      'Labels and entities',
      'Find the mood or topic of a text, and the names, places and dates in it, marked in the text.',
    ],
    code: 'src/labels/labelling.ts',
    docs: [
      ['docs/labels.md', 'Labels and entities'],
      ['docs/formats/huggingface.md', 'Hugging Face folders'],
      ['docs/hub.md', 'Models by name'],
    ],
  },
  {
    name: 'forms',
    title: 'Forms',
    tone: 2,
    card: [
      'Forms and tools',
      'A model reads a letter, fills in a form by its JSON schema, and chooses what to do next.',
    ],
    code: 'src/forms/reading_letters.ts',
    docs: [
      ['docs/structured_output.md', 'Structured output'],
      ['docs/chat.md', 'Conversations'],
      ['docs/generation.md', 'Text generation'],
    ],
  },
  {
    name: 'images',
    title: 'Images',
    tone: 1,
    card: [
      'Images',
      'Drop a picture, paste one or use the camera, and see which of 1000 things a network recognizes in it.',
    ],
    code: 'src/images/classification.ts',
    docs: [
      ['docs/images.md', 'Image classification'],
      ['docs/formats/huggingface.md', 'Hugging Face folders'],
    ],
  },
  {
    name: 'photos',
    title: 'Photos',
    tone: 5,
    card: ['Photos', 'Search your own photographs by words or by similar pictures. The index stays in your browser.'],
    code: 'src/photos/photo_search.ts',
    docs: [
      ['docs/image-search.md', 'Image search'],
      ['docs/embedding.md', 'Embeddings and search'],
      ['docs/images.md', 'Image classification'],
      ['docs/formats/huggingface.md', 'Hugging Face folders'],
    ],
  },
  {
    name: 'files',
    title: 'Files',
    tone: 2,
    card: ['Model files', 'Inspect, check and convert GGUF, safetensors, AMB, ALT, .weights and tinyRuntime files.'],
    code: 'src/files/model_files.ts',
    docs: [
      ['docs/cli.md', 'The command line'],
      ['docs/errors.md', 'Errors'],
      ['docs/formats/gguf.md', 'GGUF'],
      ['docs/formats/huggingface.md', 'Hugging Face folders'],
      ...['AMB', 'ALT', 'weights', 'safetensors', 'tinyRuntime'].map((name) => [
        `docs/formats/${name.toLowerCase()}.md`,
        name === 'weights' ? '.weights' : name,
      ]),
    ],
  },
  {
    name: 'benchmark',
    title: 'Benchmark',
    tone: 4,
    card: [
      'Benchmark',
      'quintet and onnxruntime-web side by side on your device. The result is a link that you can send.',
    ],
    code: 'src/benchmark/quintet_jobs.ts',
    docs: [
      ['docs/benchmarks.md', 'Benchmarks'],
      ['docs/sizes.md', 'Download sizes'],
    ],
  },
];
