"""Titled paragraphs of technical documentation, from git repositories of Markdown and from dictionaries of dictd."""
import gzip
import os
import re
import subprocess

# Repository -> the folders whose Markdown is read. README.md has the licences and the commits.
REPOSITORIES = {
    '30-seconds/30-seconds-of-code': ('snippets/',),
    'MicrosoftDocs/PowerShell-Docs': ('reference/7.4/', 'reference/docs-conceptual/', 'reference/includes/'),
    'MicrosoftDocs/WSL': ('WSL/',),
    'MicrosoftDocs/cpp-docs': ('docs/',),
    'MicrosoftDocs/win32': ('desktop-src/',),
    'OWASP/CheatSheetSeries': ('cheatsheets/',),
    'adambard/learnxinyminutes-docs': ('',),
    'cockroachdb/docs': ('src/current/v26.3/', 'src/current/_includes/v26.3/', 'src/current/cockroachcloud/'),
    'donnemartin/system-design-primer': ('README.md',),
    'dotnet/EntityFramework.Docs': ('entity-framework/',),
    'dotnet/docs-desktop': ('dotnet-desktop-guide/',),
    'grpc/grpc.io': ('content/',),
    'redis/redis-doc': ('',),
}
# Lists of constants and properties: many, and all alike.
LEFT_OUT = re.compile(
    r'desktop-src/(extensible-storage-engine|DirectShow|ADSchema|direct3d|medfound|properties|TermServ|SecMgmt)')
DICTIONARIES = ('foldoc', 'jargon')


def clean(text):
    text = re.sub(r'!?\[([^\]]*)\](?:\([^)]*\)|\[[^\]]*\])', r'\1', text)
    text = re.sub(r'<[^>\s][^>]*>|\{\{[^}]*\}\}|\{%[^%]*%\}|:::[^\n]*|\[!\w+[^\]]*\]|[`*|#>]+', ' ', text)
    return re.sub(r'\s+', ' ', text).strip()


def is_prose(text):
    return len(text) >= 60 and sum(c.isalpha() or c == ' ' for c in text) / len(text) > 0.8


def markdown_pages(mirrors, seen):
    """Yields (repository, title, description, [(heading, [paragraph])]) of the clones OWNER+NAME/repo in a folder."""
    for repository, folders in REPOSITORIES.items():
        git = ['git', '-C', os.path.join(mirrors, repository.replace('/', '+'), 'repo')]
        listed = subprocess.run(git + ['ls-tree', '-r', '--name-only', 'HEAD'], capture_output=True, text=True, check=True)
        names = [n for n in listed.stdout.split('\n')
                 if n.endswith(('.md', '.mdx', '.markdown')) and n.startswith(folders) and not LEFT_OUT.match(n)]
        if repository.endswith('win32'):
            names = names[::2]
        if repository.startswith('adambard'):
            # Other folders are other languages. Python's own documentation is one of the sites of the evaluation.
            names = [n for n in names if '/' not in n and n != 'README.md' and not n.startswith('python')]
        for text in contents(git, names):
            yield (repository, *markdown_page(text.decode('utf8', 'replace'), repository, seen))


def contents(git, names):
    with subprocess.Popen(git + ['cat-file', '--batch'], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as reading:
        for name in names:
            reading.stdin.write(f'HEAD:{name}\n'.encode())
            reading.stdin.flush()
            size = int(reading.stdout.readline().split()[2])
            yield reading.stdout.read(size)
            reading.stdout.read(1)


def markdown_page(text, repository, seen):
    text = text.lstrip('\ufeff').replace('\r\n', '\n')
    title = description = ''
    front = re.match(r'---\n(.*?)\n---\n', text, re.S)
    if front:
        text = text[front.end():]
        for key, value in re.findall(r'^(title|description|summary):\s*["\']?(.*?)["\']?\s*$', front.group(1), re.M):
            if key == 'title':
                title = clean(value)
            else:
                description = clean(value)
    # There the explanations are comments in code.
    if not repository.startswith('adambard'):
        text = re.sub(r'^ *(```|~~~).*?^ *\1[^\n]*$', '', text, flags=re.S | re.M)
    sections = [('', [])]
    for block in re.split(r'\n\s*\n', text):
        for part in re.split(r'^(#{1,6} .*)$', block, flags=re.M):
            heading = re.fullmatch(r'#+ (.*)', part.strip())
            if heading and not title:
                title = clean(heading.group(1))
            elif heading:
                sections.append((clean(heading.group(1)), []))
            else:
                paragraph = clean(part)
                if is_prose(paragraph) and paragraph not in seen:
                    seen.add(paragraph)
                    sections[-1][1].append(paragraph[:1500])
    return title, description, [section for section in sections if section[1]]


DIGITS = {c: i for i, c in enumerate('ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/')}


def number(text):
    value = 0
    for c in text:
        value = value * 64 + DIGITS[c]
    return value


def terms(folder):
    """Yields (dictionary, term, [paragraph])."""
    for name in DICTIONARIES:
        data = gzip.open(os.path.join(folder, name + '.dict.dz')).read()
        seen = set()
        for line in open(os.path.join(folder, name + '.index'), encoding='utf8'):
            head, offset, length = line.rstrip('\n').split('\t')[:3]
            if head.startswith('00') or offset in seen:
                continue
            seen.add(offset)
            text = data[number(offset):number(offset) + number(length)].decode('utf8', 'replace')
            term, _, body = text.partition('\n')
            body = re.sub(r'\(\d{4}-\d\d-\d\d\)|\{[^{}]*\(https?:[^{}]*\)\}', '', body)
            body = re.sub(r'[{}]|\[[^\]]*\]|<[^>]*>|https?:\S+', '', body)
            paragraphs = [re.sub(r'\s+', ' ', p).strip() for p in re.split(r'\n\s*\n', body)]
            paragraphs = [p for p in paragraphs if len(p) > 40]
            if paragraphs:
                yield name, term.strip(), paragraphs
